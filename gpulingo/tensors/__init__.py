"""Integers only: letters, codes and sizes in tensors; knows neither text nor strategies."""
