#pragma once
#include "dice/cooperative.h"
