"""Words that findings share: amounts, names, and what a misspelt word was meant to be."""
