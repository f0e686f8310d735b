-- Visit_arrivals_idx and Visit_discarded_idx find what it found. If a migration before was killed, its index is not valid and is made again here,
-- for which writers of visits wait.
DO $$
DECLARE unfinished regclass;
BEGIN
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      FOR unfinished IN
        SELECT indexrelid FROM pg_index
        WHERE NOT indisvalid AND indexrelid IN ('"Visit_arrivals_idx"'::regclass, '"Visit_discarded_idx"'::regclass)
      LOOP
        EXECUTE (SELECT format('DROP INDEX %s; %s', unfinished, pg_get_indexdef(unfinished)));
      END LOOP;
      DROP INDEX IF EXISTS "Visit_entries_idx";
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
