#pragma once
#include "dice/extension.h"
