print("textindex")
