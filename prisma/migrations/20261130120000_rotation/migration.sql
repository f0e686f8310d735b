-- By how many degrees the picture of a camera or recording is turned clockwise before anything else: 0, 90, 180 or 270.
ALTER TABLE "Device" ADD COLUMN rotation SMALLINT NOT NULL DEFAULT 0;
