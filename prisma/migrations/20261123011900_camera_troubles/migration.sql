-- What is wrong with a camera now, and since when: told by the node that streams it, or by the look at an idle device.
ALTER TABLE "Device" ADD COLUMN "fault" JSONB,
                     ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';
