"""Running a packaged model without torch: words in, lattices out."""
