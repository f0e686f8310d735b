-- The videos of the file of a recording, of which its owner may choose another one. A constant default does not rewrite the table;
-- a recording of before is shown with the video that it has.
ALTER TABLE "Recording" ADD COLUMN "videoTracks" JSONB NOT NULL DEFAULT '[]';
