"""How many rows a table has, how many cells each, and which cells a spreadsheet takes for a formula."""

import csv, sys
with open(sys.argv[1], newline="") as file: rows = list(csv.reader(file))
def number(text):
    try: float(text); return True
    except ValueError: return False
print(len(rows), {len(row) for row in rows}, [each for row in rows for each in row if each[:1] in tuple("=+-@") and not number(each)])
