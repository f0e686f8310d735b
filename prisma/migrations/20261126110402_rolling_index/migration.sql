-- One index of rolling records in place of two, ascending, so that pages become full. Partition by partition, each in a
-- transaction of its own: only those of today and of later days are written, and theirs are short. A statement of its own, for COMMIT.
DO $$
DECLARE
  part record;
BEGIN
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      CREATE UNIQUE INDEX IF NOT EXISTS "RollingRecord_next_key" ON ONLY "RollingRecord" ("sceneId", "windowEnd", "windowType");
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
  COMMIT;
  FOR part IN
    SELECT t.relid, 'next_' || t.relid AS name, n.nspname AS schema
    FROM pg_partition_tree('"RollingRecord"') t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE t.isleaf AND NOT EXISTS (
      SELECT FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid
      WHERE h.inhparent = '"RollingRecord_next_key"'::regclass AND i.indrelid = t.relid)
  LOOP
    FOR attempt IN 1..300 LOOP
      BEGIN
        SET LOCAL lock_timeout = '300ms';
        EXECUTE format('CREATE UNIQUE INDEX %I ON %s ("sceneId", "windowEnd", "windowType")', part.name, part.relid::regclass);
        EXECUTE format('ALTER INDEX "RollingRecord_next_key" ATTACH PARTITION %I.%I', part.schema, part.name);
        EXIT;
      EXCEPTION
        -- A program has dropped the partition meanwhile, because it was old.
        WHEN undefined_table THEN EXIT;
        WHEN lock_not_available OR deadlock_detected THEN
          IF attempt = 300 THEN RAISE; END IF;
          PERFORM pg_sleep(0.7);
      END;
    END LOOP;
    COMMIT;
  END LOOP;
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = '"RollingRecord_next_key"'::regclass) THEN
        RAISE 'A partition of "RollingRecord" has no index yet: run the migrations again.';
      END IF;
      DROP INDEX IF EXISTS "RollingRecord_sceneId_windowType_windowEnd_key";
      DROP INDEX IF EXISTS "RollingRecord_sceneId_windowEnd_idx";
      FOR part IN
        SELECT i.indrelid::regclass AS name, c.relname AS key
        FROM pg_partition_tree('"RollingRecord_next_key"') t JOIN pg_index i ON i.indexrelid = t.relid JOIN pg_class c ON c.oid = t.relid
      LOOP
        EXECUTE format('ALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I', part.name, part.key);
      END LOOP;
      ALTER INDEX "RollingRecord_next_key" RENAME TO "RollingRecord_sceneId_windowEnd_windowType_key";
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
