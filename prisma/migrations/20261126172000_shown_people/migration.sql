-- Live pictures for a check that shows people whom the account hides. No statement reads or rewrites a row.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "LiveWish" ADD COLUMN "showsPeople" BOOLEAN NOT NULL DEFAULT false;
      ALTER TABLE "LivePicture" ADD COLUMN "shown" BYTEA;
      ALTER TABLE "LivePicture" ALTER COLUMN "shown" SET STORAGE PLAIN;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
