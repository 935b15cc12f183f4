#include "testformats.h"

int main(int argc, char **argv)
{
    using namespace dice::formats::tests;
    int failures = 0;
    for (const auto run :
         {&runSafetensorsTests, &runHfConfigTests, &runTokenizerTests, &runChatTemplateTests, &runBpeTrainerTests})
        failures += run(argc, argv);
    return failures;
}
