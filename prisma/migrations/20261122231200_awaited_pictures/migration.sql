-- An alert that was recorded before its pictures, which may still come.
ALTER TABLE "AlertEvent" ADD COLUMN "awaitsPictures" BOOLEAN NOT NULL DEFAULT false;
