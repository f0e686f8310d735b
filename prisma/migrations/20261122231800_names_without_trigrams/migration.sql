-- A user has at most some thousand devices and scenes: they are read through their owner, and these served no query.
DROP INDEX "Device_name_trigrams_idx";
DROP INDEX "Scene_name_trigrams_idx";
