-- What an attribute record holds of its people as bytes in place of JSON with names. Rows of version 0.2 keep their JSON until they are
-- as old as they get. No column rewrites a table.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      ALTER TABLE "AttributeRecord" ADD COLUMN "people" BYTEA, ALTER COLUMN "attributes" DROP NOT NULL, ALTER COLUMN "persons" DROP NOT NULL;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
