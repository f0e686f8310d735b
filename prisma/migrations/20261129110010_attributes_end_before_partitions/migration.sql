-- First of three steps that turn "AttributeRecord" into a table with a partition for each day, while programs write on. From now on the
-- table takes no record of eight days or more after today: so the next step can prove, without holding up a writer, that all rows
-- belong into one partition.
DO $$
DECLARE
  -- Text of times and whole days, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  boundary timestamptz := date_trunc('day', now(), 'UTC') + interval '8 days';
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "AttributeRecord" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
  EXECUTE format('ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_end_check" CHECK ("capturedAt" < %L) NOT VALID', boundary);
END $$;
