"""Ground: letters, codes and sizes as integers in tensors; knows neither words as text nor games."""
