// LevelDB
