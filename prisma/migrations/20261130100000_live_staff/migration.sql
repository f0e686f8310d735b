-- The staff in a live picture, as the header X-Staff has them. No row is written.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "LivePicture" ADD COLUMN "staff" TEXT;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
