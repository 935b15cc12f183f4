"""The architecture check finds what it is for."""
import unittest

import check


def faults(path, *lines, is_public=False):
    return [fault for _, fault in check.check_file(path, "\n".join(lines) + "\n", is_public)]


class CheckTest(unittest.TestCase):
    def test_allowed_includes_pass(self):
        self.assertEqual(faults("core/ipc/envelope.h", '#include "core/data/json.h"', "#include <string>"), [])
        self.assertEqual(faults("core/engine/layer_torch.h", "#include <torch/torch.h>"), [])
        self.assertEqual(faults("app/services/studio.cpp", '#include "core/ipc/envelope.h"', "#include <QProcess>"), [])
        self.assertEqual(faults("widgets/plots/curve.cpp", "#include <qcustomplot.h>"), [])

    def test_forbidden_libraries_are_found(self):
        self.assertTrue(faults("core/data/verdict.cpp", '#include "core/ipc/envelope.h"'))
        self.assertTrue(faults("core/store/runfolder.cpp", "#include <QFile>"))
        self.assertTrue(faults("app/services/studio.cpp", "#include <torch/torch.h>"))
        self.assertTrue(faults("app/services/studio.cpp", "#include <QWidget>"))
        self.assertTrue(faults("widgets/pages/author.cpp", "#include <QProcess>"))
        self.assertTrue(faults("widgets/pages/author.cpp", '#include "app/services/studio.h"'))
        self.assertTrue(faults("core/evaluate/judge.cpp", "#include <Python.h>"))
        self.assertTrue(faults("app/studio/main.cpp", "#include <ATen/ATen.h>"))

    def test_public_headers_hide_what_is_heavy(self):
        for path, include in (("core/engine/engine.h", "<torch/torch.h>"), ("widgets/plots/curve.h", "<qcustomplot.h>"),
                              ("widgets/editor/codeeditor.h", "<Qsci/qsciscintilla.h>")):
            self.assertEqual(faults(path, "#include " + include), [])
            self.assertTrue(faults(path, "#include " + include, is_public=True))

    def test_a_header_is_public_once_another_library_includes_it(self):
        files = {"core/engine/a.cpp": '#include "core/engine/inside.h"\n#include "core/base/result.h"\n',
                 "app/engine/main.cpp": '#include "core/engine/engine.h"\n'}
        self.assertEqual(check.public_headers(files), {"core/base/result.h", "core/engine/engine.h"})

    def test_sizes_are_limited(self):
        self.assertEqual(faults("core/base/error.cpp", *["//"] * check.MAX_LINES), [])
        self.assertTrue(faults("core/base/error.cpp", *["//"] * (check.MAX_LINES + 1)))
        self.assertTrue(faults("tests/data/tst.cpp", *["//"] * (check.MAX_LINES + 1)))
        self.assertTrue(faults("app/cli/main.cpp", *["//"] * (check.MAX_MAIN_LINES + 1)))

    def test_a_new_folder_must_be_in_the_table(self):
        self.assertTrue(faults("core/surprise/a.cpp", "#include <string>"))


if __name__ == "__main__":
    unittest.main()
