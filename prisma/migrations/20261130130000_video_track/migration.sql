-- Which video of the file of a recording is analysed. The default is a constant, so no row is written.
ALTER TABLE "Recording" ADD COLUMN "videoTrack" INTEGER NOT NULL DEFAULT 0;
