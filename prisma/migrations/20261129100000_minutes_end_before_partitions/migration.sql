-- First of three steps that turn "OccupancyMinute" into a table with a partition for each month, while programs write on. From now on
-- the table takes no minute after the start of a month that is at least eight days away: so the next step can prove, without holding
-- up a writer, that all rows belong into one partition. Eight days are time enough to finish an interrupted migration.
DO $$
DECLARE
  -- Text of times and whole days, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  boundary timestamptz := date_trunc('month', now() + interval '8 days', 'UTC') + interval '1 month';
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "OccupancyMinute" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
  EXECUTE format('ALTER TABLE "OccupancyMinute" ADD CONSTRAINT "OccupancyMinute_end_check" CHECK (minute < %L) NOT VALID', boundary);
END $$;
