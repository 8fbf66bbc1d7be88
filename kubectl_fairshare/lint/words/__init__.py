"""Words that findings share: amounts, names, and corrections of misspelt words."""
