#pragma once
#include "dice/device.h"
