-- What decoding the two streams of a device costs, as its node measured it.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "Device" ADD COLUMN "mainDecodingPercent" REAL, ADD COLUMN "secondDecodingPercent" REAL;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
