import torch
import torch.nn as nn


class Model(nn.Module):
    """Scaled tanh added to its input."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x + 0.5 * torch.tanh(x)


def get_inputs():
    return [torch.randn(50, 333)]


def get_init_inputs():
    return []
