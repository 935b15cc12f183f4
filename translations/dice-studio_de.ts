<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>Attempt</name>
    <message>
        <source>correct</source>
        <translation>richtig</translation>
    </message>
    <message>
        <source>incorrect</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>build error</source>
        <translation>Übersetzungsfehler</translation>
    </message>
    <message>
        <source>run-time error</source>
        <translation>Laufzeitfehler</translation>
    </message>
    <message>
        <source>too slow: stopped</source>
        <translation>zu langsam: abgebrochen</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>zurückgewiesen</translation>
    </message>
    <message>
        <source>needs a GPU</source>
        <translation>braucht eine GPU</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>writing...</source>
        <translation>schreibt ...</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <source>written, not verified</source>
        <translation>geschrieben, nicht geprüft</translation>
    </message>
    <message>
        <source>verifying...</source>
        <translation>wird geprüft ...</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>%1 of %2 trials equal</source>
        <translation>%1 von %2 Versuchen gleich</translation>
    </message>
    <message>
        <source>edited since this verdict</source>
        <translation>seit diesem Urteil geändert</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Startwert %1</translation>
    </message>
</context>
<context>
    <name>dice::widgets::AttemptsModel</name>
    <message>
        <source>Attempt %1: %2, %3</source>
        <translation>Anlauf %1: %2, %3</translation>
    </message>
</context>
<context>
    <name>dice::widgets::AttemptsPanel</name>
    <message>
        <source>Every kernel you generate or verify is kept here, with your edits.</source>
        <translation>Jeder Kernel, den Sie erzeugen oder prüfen, bleibt hier, mit Ihren Änderungen.</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Anläufe</translation>
    </message>
</context>
<context>
    <name>dice::studio::AuthorController</name>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA-GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU (no NVIDIA GPU found)</source>
        <translation>CPU (keine NVIDIA-GPU gefunden)</translation>
    </message>
    <message>
        <source>Kernels run on the CPU device: results are checked, times are not.</source>
        <translation>Kernel laufen auf dem CPU-Gerät: Ergebnisse werden geprüft, Zeiten nicht.</translation>
    </message>
    <message>
        <source>This version does not profile yet</source>
        <translation>Diese Version kann noch nicht profilieren</translation>
    </message>
    <message>
        <source>Profiling needs an NVIDIA GPU; none was found</source>
        <translation>Profilieren braucht eine NVIDIA-GPU; keine gefunden</translation>
    </message>
    <message>
        <source>CPU device</source>
        <translation>CPU-Gerät</translation>
    </message>
    <message>
        <source>GPU device</source>
        <translation>GPU-Gerät</translation>
    </message>
    <message>
        <source>%1 ready</source>
        <translation>%1 bereit</translation>
    </message>
    <message>
        <source>engine ended</source>
        <translation>Engine beendet</translation>
    </message>
    <message>
        <source>judge ended</source>
        <translation>Prüfer beendet</translation>
    </message>
    <message>
        <source>No model is installed.</source>
        <translation>Kein Modell ist installiert.</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>kein Modell</translation>
    </message>
    <message>
        <source>loading the model...</source>
        <translation>lädt das Modell ...</translation>
    </message>
    <message>
        <source>model not loaded</source>
        <translation>Modell nicht geladen</translation>
    </message>
    <message>
        <source>sandbox: unknown</source>
        <translation>Sandbox: unbekannt</translation>
    </message>
    <message>
        <source>sandbox: full</source>
        <translation>Sandbox: vollständig</translation>
    </message>
    <message>
        <source>sandbox: partial</source>
        <translation>Sandbox: teilweise</translation>
    </message>
    <message>
        <source>sandbox: none</source>
        <translation>Sandbox: keine</translation>
    </message>
    <message>
        <source>Every layer works here.</source>
        <translation>Jede Schicht arbeitet hier.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::AuthorPage</name>
    <message>
        <source>Profiling needs an NVIDIA GPU</source>
        <translation>Profilieren braucht eine NVIDIA-GPU</translation>
    </message>
    <message>
        <source>Let the model write a kernel (Ctrl+Return)</source>
        <translation>Das Modell einen Kernel schreiben lassen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Stop and keep what is there (Esc)</source>
        <translation>Anhalten und behalten, was da ist (Esc)</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Press Generate and watch the model write a CUDA kernel for this module. Or paste a kernel of your own and press Verify.</source>
        <translation>Drücken Sie Erzeugen und sehen Sie zu, wie das Modell einen CUDA-Kernel für dieses Modul schreibt. Oder fügen Sie einen eigenen Kernel ein und drücken Sie Prüfen.</translation>
    </message>
    <message>
        <source>Generate a kernel</source>
        <translation>Einen Kernel erzeugen</translation>
    </message>
    <message>
        <source>Start with a PyTorch module</source>
        <translation>Beginnen Sie mit einem PyTorch-Modul</translation>
    </message>
    <message>
        <source>Paste one on the left, drop a file there, or take an example. The model then writes a CUDA kernel for it, and the judge says whether it is right.</source>
        <translation>Fügen Sie links eines ein, legen Sie eine Datei ab oder nehmen Sie ein Beispiel. Das Modell schreibt dann einen CUDA-Kernel dafür, und der Prüfer sagt, ob er stimmt.</translation>
    </message>
    <message>
        <source>Open a file...</source>
        <translation>Eine Datei öffnen ...</translation>
    </message>
    <message>
        <source>Write a kernel by hand</source>
        <translation>Einen Kernel von Hand schreiben</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>Verifying needs a module to compare with</source>
        <translation>Zum Prüfen fehlt ein Modul als Vergleich</translation>
    </message>
    <message>
        <source>There is no kernel yet</source>
        <translation>Es gibt noch keinen Kernel</translation>
    </message>
    <message>
        <source>Build and check this kernel (Ctrl+Shift+Return)</source>
        <translation>Diesen Kernel bauen und prüfen (Strg+Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>building the kernel</source>
        <translation>baut den Kernel</translation>
    </message>
    <message>
        <source>comparing with the module</source>
        <translation>vergleicht mit dem Modul</translation>
    </message>
    <message>
        <source>checking that the kernel does the work</source>
        <translation>prüft, ob der Kernel die Arbeit tut</translation>
    </message>
    <message>
        <source>preparing the check</source>
        <translation>bereitet die Prüfung vor</translation>
    </message>
    <message>
        <source>stopping...</source>
        <translation>hält an ...</translation>
    </message>
    <message>
        <source>reading the module, loading the model...</source>
        <translation>liest das Modul, lädt das Modell ...</translation>
    </message>
    <message>
        <source>writing block %1 of about %2</source>
        <translation>schreibt Block %1 von etwa %2</translation>
    </message>
    <message>
        <source>writing block %1</source>
        <translation>schreibt Block %1</translation>
    </message>
    <message>
        <source>attempt %1: %2</source>
        <translation>Anlauf %1: %2</translation>
    </message>
    <message>
        <source>edited, verify again</source>
        <translation>geändert, erneut prüfen</translation>
    </message>
</context>
<context>
    <name>dice::widgets::BuildMessagesModel</name>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
</context>
<context>
    <name>dice::widgets::DecodingForm</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>Dekodierung</translation>
    </message>
    <message>
        <source>Block, seed</source>
        <translation>Block, Startwert</translation>
    </message>
    <message>
        <source>Which tokens are unmasked first</source>
        <translation>Welche Token zuerst aufgedeckt werden</translation>
    </message>
    <message>
        <source>sure ones, by threshold</source>
        <translation>sichere, ab Schwelle</translation>
    </message>
    <message>
        <source>surest, a fixed number</source>
        <translation>sicherste, feste Anzahl</translation>
    </message>
    <message>
        <source>by entropy</source>
        <translation>nach Entropie</translation>
    </message>
    <message>
        <source>left to right</source>
        <translation>von links nach rechts</translation>
    </message>
    <message>
        <source>Threshold of confidence</source>
        <translation>Schwelle der Zuversicht</translation>
    </message>
    <message>
        <source>Tokens at least this sure are unmasked at once</source>
        <translation>Token, die mindestens so sicher sind, werden sofort aufgedeckt</translation>
    </message>
    <message>
        <source>Bound of entropy, nats</source>
        <translation>Grenze der Entropie, Nat</translation>
    </message>
    <message>
        <source>Block length, tokens</source>
        <translation>Blocklänge, Token</translation>
    </message>
    <message>
        <source>model's own</source>
        <translation>des Modells</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Steps a block</source>
        <translation>Schritte je Block</translation>
    </message>
    <message>
        <source>as many as tokens</source>
        <translation>so viele wie Token</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 (greedy)</source>
        <translation>0 (immer das beste)</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Beste k</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Beste p</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>Höchstens Token</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Mehr Einstellungen</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Weniger Einstellungen</translation>
    </message>
    <message>
        <source>no model installed</source>
        <translation>kein Modell installiert</translation>
    </message>
</context>
<context>
    <name>dice::widgets::DenoiseTimeline</name>
    <message>
        <source>Denoising steps</source>
        <translation>Entrauschungsschritte</translation>
    </message>
    <message>
        <source>Left and Right move by one step, Home and End to the first and the last.</source>
        <translation>Links und Rechts gehen einen Schritt, Pos1 und Ende zum ersten und letzten.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::DetectorsModel</name>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht gelaufen</translation>
    </message>
</context>
<context>
    <name>dice::widgets::FailureBanner</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Neu starten</translation>
    </message>
</context>
<context>
    <name>Failures</name>
    <message>
        <source>Change it and try again. Nothing you typed is lost.</source>
        <translation>Ändern Sie es und versuchen Sie es erneut. Nichts Getipptes ist verloren.</translation>
    </message>
    <message>
        <source>Choose another model, or download this one again.</source>
        <translation>Wählen Sie ein anderes Modell, oder laden Sie dieses erneut herunter.</translation>
    </message>
    <message>
        <source>Choose another model or device.</source>
        <translation>Wählen Sie ein anderes Modell oder Gerät.</translation>
    </message>
    <message>
        <source>See to the disk, then try again.</source>
        <translation>Sehen Sie nach dem Datenträger, dann versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Try again; if it stays so, choose a smaller module.</source>
        <translation>Versuchen Sie es erneut; bleibt es so, wählen Sie ein kleineres Modul.</translation>
    </message>
    <message>
        <source>Nothing you typed is lost. The next try starts the process anew.</source>
        <translation>Nichts Getipptes ist verloren. Der nächste Versuch startet den Prozess neu.</translation>
    </message>
    <message>
        <source>Try again. If it comes back, please report it with the log.</source>
        <translation>Versuchen Sie es erneut. Kommt es wieder, melden Sie es bitte mit dem Protokoll.</translation>
    </message>
    <message>
        <source>The engine ended.</source>
        <translation>Die Engine hat sich beendet.</translation>
    </message>
    <message>
        <source>Nothing you typed is lost. Start it again to go on; Generate does that too.</source>
        <translation>Nichts Getipptes ist verloren. Starten Sie sie neu, um weiterzumachen; Erzeugen tut das auch.</translation>
    </message>
    <message>
        <source>The judge ended.</source>
        <translation>Der Prüfer hat sich beendet.</translation>
    </message>
    <message>
        <source>Nothing you typed is lost. Start it again to go on; Verify does that too.</source>
        <translation>Nichts Getipptes ist verloren. Starten Sie ihn neu, um weiterzumachen; Prüfen tut das auch.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::KernelPanel</name>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Read and edit the kernel</source>
        <translation>Den Kernel lesen und ändern</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>How the model wrote it, step by step</source>
        <translation>Wie das Modell ihn schrieb, Schritt für Schritt</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profilieren</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
</context>
<context>
    <name>dice::widgets::LaunchesModel</name>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
</context>
<context>
    <name>dice::studio::MainWindow</name>
    <message>
        <source>DICE Studio</source>
        <translation>DICE Studio</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>The texts of the last time could not be read.</source>
        <translation>Die Texte vom letzten Mal waren nicht lesbar.</translation>
    </message>
    <message>
        <source>They are kept in %1.unreadable.</source>
        <translation>Sie liegen in %1.unreadable.</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>About DICE Studio</source>
        <translation>Über DICE Studio</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open module...</source>
        <translation>Modul ö&amp;ffnen ...</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>&amp;Beispiele</translation>
    </message>
    <message>
        <source>&amp;Save kernel as...</source>
        <translation>Kernel &amp;speichern unter ...</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Be&amp;enden</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>&amp;Erzeugen</translation>
    </message>
    <message>
        <source>&amp;Verify</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>A&amp;nsicht</translation>
    </message>
    <message>
        <source>&amp;Author</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>&amp;Models</source>
        <translation>&amp;Modelle</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>&amp;Nächster Bereich</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>&amp;Voriger Bereich</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>As the &amp;desktop</source>
        <translation>Wie der Schreib&amp;tisch</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Open a PyTorch module</source>
        <translation>Ein PyTorch-Modul öffnen</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python-Dateien (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>Den Kernel speichern</translation>
    </message>
    <message>
        <source>DICE Studio %1

Paste a PyTorch module, watch a CUDA kernel appear, know whether it is right.

GNU General Public License, version 3 or later.</source>
        <translation>DICE Studio %1

Ein PyTorch-Modul einfügen, einen CUDA-Kernel entstehen sehen, wissen, ob er stimmt.

GNU General Public License, Version 3 oder später.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::ModeBar</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Strg+%2)</translation>
    </message>
</context>
<context>
    <name>dice::studio::ModelsController</name>
    <message>
        <source>%1 (in the box)</source>
        <translation>%1 (mitgeliefert)</translation>
    </message>
    <message>
        <source>%1 M parameters, %2 layers, block length %3, %4, %5</source>
        <translation>%1 Mio. Parameter, %2 Schichten, Blocklänge %3, %4, %5</translation>
    </message>
</context>
<context>
    <name>dice::widgets::ModelsPage</name>
    <message>
        <source>Use this model</source>
        <translation>Dieses Modell nehmen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>Modellkarte</translation>
    </message>
    <message>
        <source>No model is installed</source>
        <translation>Kein Modell ist installiert</translation>
    </message>
    <message>
        <source>The model in the box is missing from this installation. Run packaging/run.sh again, or put a folder in Hugging Face's layout into the models folder of your data folder.</source>
        <translation>Das mitgelieferte Modell fehlt in dieser Installation. Führen Sie packaging/run.sh erneut aus, oder legen Sie einen Ordner im Aufbau von Hugging Face in den Modellordner Ihres Datenordners.</translation>
    </message>
    <message>
        <source>This model has no card.</source>
        <translation>Dieses Modell hat keine Karte.</translation>
    </message>
</context>
<context>
    <name>ModuleFiles</name>
    <message>
        <source>%1 cannot be opened: %2. Choose another file.</source>
        <translation>%1 lässt sich nicht öffnen: %2. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 could not be saved: %2. Choose another place.</source>
        <translation>%1 ließ sich nicht speichern: %2. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>%1 is larger than 8 MB: that is no module. Choose another file.</source>
        <translation>%1 ist größer als 8 MB: das ist kein Modul. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 is not a text in UTF-8. Choose a Python file.</source>
        <translation>%1 ist kein Text in UTF-8. Wählen Sie eine Python-Datei.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::ModulePanel</name>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Open...</source>
        <translation>Öffnen ...</translation>
    </message>
    <message>
        <source>PyTorch module</source>
        <translation>PyTorch-Modul</translation>
    </message>
    <message>
        <source>Open a Python file (%1)</source>
        <translation>Eine Python-Datei öffnen (%1)</translation>
    </message>
</context>
<context>
    <name>dice::widgets::OutcomeCard</name>
    <message>
        <source>Show or hide the evidence</source>
        <translation>Die Belege zeigen oder verbergen</translation>
    </message>
</context>
<context>
    <name>OutcomeCards</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>after the last block</source>
        <translation>nach dem letzten Block</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>The check ended before: %1.</source>
        <translation>Die Prüfung endete vorher: %1.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Built before, taken from the cache</source>
        <translation>Früher gebaut, aus dem Speicher</translation>
    </message>
    <message>
        <source>Built with the fast headers</source>
        <translation>Mit den schnellen Kopfdateien gebaut</translation>
    </message>
    <message>
        <source>Built with PyTorch's own headers</source>
        <translation>Mit den Kopfdateien von PyTorch gebaut</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>Gebaut</translation>
    </message>
    <message>
        <source>device code compiles for %1</source>
        <translation>Gerätecode übersetzt für %1</translation>
    </message>
    <message>
        <source>device code not compiled for a GPU</source>
        <translation>Gerätecode nicht für eine GPU übersetzt</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>reading the module</source>
        <translation>liest das Modul</translation>
    </message>
    <message>
        <source>building</source>
        <translation>baut</translation>
    </message>
    <message>
        <source>Compiles the kernel's sources in the sandbox.</source>
        <translation>Übersetzt die Quellen des Kernels in der Sandbox.</translation>
    </message>
    <message>
        <source>Does it compile, also for a GPU?</source>
        <translation>Lässt er sich übersetzen, auch für eine GPU?</translation>
    </message>
    <message>
        <source>ok, %1</source>
        <translation>gut, %1</translation>
    </message>
    <message>
        <source>build error</source>
        <translation>Übersetzungsfehler</translation>
    </message>
    <message>
        <source>nothing built</source>
        <translation>nichts gebaut</translation>
    </message>
    <message>
        <source>Fresh inputs each time, equal within %1</source>
        <translation>Jedes Mal neue Eingaben, gleich bis auf %1</translation>
    </message>
    <message>
        <source>; scaled sizes</source>
        <translation>; verkleinert</translation>
    </message>
    <message>
        <source>Trials with fresh inputs come after the build.</source>
        <translation>Versuche mit neuen Eingaben folgen auf den Bau.</translation>
    </message>
    <message>
        <source>Trials with fresh inputs against the module.</source>
        <translation>Versuche mit neuen Eingaben gegen das Modul.</translation>
    </message>
    <message>
        <source>running trials</source>
        <translation>Versuche laufen</translation>
    </message>
    <message>
        <source>Honesty checks come after the trials.</source>
        <translation>Ehrlichkeitsprüfungen folgen auf die Versuche.</translation>
    </message>
    <message>
        <source>looking for tricks</source>
        <translation>sucht nach Tricks</translation>
    </message>
    <message>
        <source>Does the kernel itself do the work?</source>
        <translation>Tut der Kernel selbst die Arbeit?</translation>
    </message>
    <message numerus="yes">
        <source>All that run here passed; %n could not run on this device</source>
        <translation>
            <numerusform>Alle, die hier laufen, bestanden; %n konnte auf diesem Gerät nicht laufen</numerusform>
            <numerusform>Alle, die hier laufen, bestanden; %n konnten auf diesem Gerät nicht laufen</numerusform>
        </translation>
    </message>
    <message>
        <source>All checks passed</source>
        <translation>Alle Prüfungen bestanden</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>This check compares results; it takes no times.</source>
        <translation>Diese Prüfung vergleicht Ergebnisse; sie misst keine Zeiten.</translation>
    </message>
    <message>
        <source>needs a GPU</source>
        <translation>braucht eine GPU</translation>
    </message>
    <message>
        <source>The CPU device checks results; its times say nothing about a GPU.</source>
        <translation>Das CPU-Gerät prüft Ergebnisse; seine Zeiten sagen nichts über eine GPU.</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Bau</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>Richtig</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Vertrauen</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
</context>
<context>
    <name>dice::widgets::OutcomePanel</name>
    <message>
        <source>Compiler's messages</source>
        <translation>Meldungen des Übersetzers</translation>
    </message>
    <message>
        <source>Build log</source>
        <translation>Bauprotokoll</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Too big for the CPU device: run with smaller sizes</source>
        <translation>Zu groß für das CPU-Gerät: mit kleineren Maßen gelaufen</translation>
    </message>
    <message>
        <source>Sizes used</source>
        <translation>Benutzte Maße</translation>
    </message>
    <message>
        <source>Honesty checks</source>
        <translation>Ehrlichkeitsprüfungen</translation>
    </message>
    <message>
        <source>Kernels launched</source>
        <translation>Gestartete Kernel</translation>
    </message>
</context>
<context>
    <name>dice::widgets::ScaledSizesModel</name>
    <message>
        <source>Size</source>
        <translation>Maß</translation>
    </message>
    <message>
        <source>In the module</source>
        <translation>Im Modul</translation>
    </message>
    <message>
        <source>Used here</source>
        <translation>Hier benutzt</translation>
    </message>
</context>
<context>
    <name>Startup</name>
    <message>
        <source>Paste a PyTorch module, watch a CUDA kernel appear, know whether it is right.</source>
        <translation>Ein PyTorch-Modul einfügen, einen CUDA-Kernel entstehen sehen, wissen, ob er stimmt.</translation>
    </message>
    <message>
        <source>A PyTorch module to open</source>
        <translation>Ein PyTorch-Modul, das geöffnet wird</translation>
    </message>
    <message>
        <source>Keep settings and session in FOLDER</source>
        <translation>Einstellungen und Sitzung in FOLDER ablegen</translation>
    </message>
    <message>
        <source>Write a picture of the window to FILE and quit</source>
        <translation>Ein Bild des Fensters in FILE schreiben und beenden</translation>
    </message>
    <message>
        <source>What the picture shows: empty, working, failed or filled</source>
        <translation>Was das Bild zeigt: empty, working, failed oder filled</translation>
    </message>
    <message>
        <source>light or dark</source>
        <translation>light oder dark</translation>
    </message>
    <message>
        <source>Size of the window in the picture</source>
        <translation>Größe des Fensters im Bild</translation>
    </message>
</context>
<context>
    <name>dice::studio::StatusLine</name>
    <message>
        <source>Progress of the job</source>
        <translation>Fortschritt der Arbeit</translation>
    </message>
</context>
<context>
    <name>dice::widgets::TimelinePanel</name>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Einen Schritt zurück</translation>
    </message>
    <message>
        <source>Play the steps again</source>
        <translation>Die Schritte noch einmal abspielen</translation>
    </message>
    <message>
        <source>One step on</source>
        <translation>Einen Schritt weiter</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
    <message>
        <source>Speed of replay</source>
        <translation>Geschwindigkeit der Wiederholung</translation>
    </message>
    <message>
        <source>speed %1x</source>
        <translation>Tempo %1x</translation>
    </message>
    <message>
        <source>%1 tokens a step</source>
        <translation>%1 Token je Schritt</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>dice::widgets::TokenCanvas</name>
    <message>
        <source>Kernel being written</source>
        <translation>Kernel, der geschrieben wird</translation>
    </message>
    <message>
        <source>Token cells coloured by confidence. Left and Right move from token to token.</source>
        <translation>Token-Zellen, nach Zuversicht gefärbt. Links und Rechts gehen von Token zu Token.</translation>
    </message>
</context>
<context>
    <name>dice::widgets::TokenPopup</name>
    <message>
        <source>block %1, step %2</source>
        <translation>Block %1, Schritt %2</translation>
    </message>
    <message>
        <source>confidence %1</source>
        <translation>Zuversicht %1</translation>
    </message>
</context>
<context>
    <name>dice::widgets::TrialsModel</name>
    <message>
        <source>Trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Worst error</source>
        <translation>Größter Fehler</translation>
    </message>
    <message>
        <source>At</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Got</source>
        <translation>Erhalten</translation>
    </message>
    <message>
        <source>Seed of the inputs: %1</source>
        <translation>Startwert der Eingaben: %1</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
</context>
</TS>
