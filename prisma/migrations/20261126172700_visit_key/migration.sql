-- A visit is found by its run and number. The index of its id, which nothing but the order of a page compares, took a tenth of the
-- room of a visit's indexes. The unique index becomes the key as it is, so that the table is locked for a moment only. A statement of its
-- own, for COMMIT.
DO $$
BEGIN
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      IF to_regclass('"Visit_taskId_number_key"') IS NOT NULL THEN
        ALTER TABLE "Visit" DROP CONSTRAINT "Visit_pkey",
          ADD CONSTRAINT "Visit_pkey" PRIMARY KEY USING INDEX "Visit_taskId_number_key";
      END IF;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
