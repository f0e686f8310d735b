-- Live pictures for a check that shows people whom the account hides. Neither statement reads or rewrites a row.
SET LOCAL lock_timeout = '5s';
ALTER TABLE "LiveWish" ADD COLUMN "showsPeople" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "LivePicture" ADD COLUMN "shown" BYTEA;
ALTER TABLE "LivePicture" ALTER COLUMN "shown" SET STORAGE PLAIN;
