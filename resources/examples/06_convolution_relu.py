import torch
import torch.nn as nn


class Model(nn.Module):
    """Convolution of images, then ReLU."""

    def __init__(self, channels, filters):
        super().__init__()
        self.conv = nn.Conv2d(channels, filters, kernel_size=3, padding=1)

    def forward(self, x):
        x = self.conv(x)
        return torch.relu(x)


def get_inputs():
    return [torch.randn(2, 3, 33, 30)]


def get_init_inputs():
    return [3, 8]
