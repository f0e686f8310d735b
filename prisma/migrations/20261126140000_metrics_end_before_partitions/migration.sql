-- First of three steps that turn "MetricSnapshot" and "RollingRecord" into tables with a partition for each day, while programs write
-- on. From now on the tables take no row that ends eight days or more after today: so the next step can prove, without holding up a
-- writer, that all rows belong into one partition. Eight days are time enough to finish an interrupted migration.
DO $$
DECLARE
  boundary timestamptz := date_trunc('day', now(), 'UTC') + interval '8 days';
  name text;
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "MetricSnapshot", "RollingRecord" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
  FOREACH name IN ARRAY ARRAY['MetricSnapshot', 'RollingRecord'] LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK ("windowEnd" < %L) NOT VALID', name, name || '_end_check', boundary);
  END LOOP;
END $$;
