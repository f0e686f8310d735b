-- Ascending, so that the newest row is added at the end of the last page, which becomes full. Partition by partition, each in a
-- transaction of its own: only those of today and of later days are written, and theirs are short. A statement of its own, for COMMIT.
DO $$
DECLARE
  part record;
BEGIN
  FOR attempt IN 1..300 LOOP
    BEGIN
      SET LOCAL lock_timeout = '300ms';
      CREATE INDEX IF NOT EXISTS "AttributeRecord_next_key" ON ONLY "AttributeRecord" ("userId", "capturedAt", "id", "deviceId", "sceneId");
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
  COMMIT;
  FOR part IN
    SELECT t.relid, 'next_' || t.relid AS name, n.nspname AS schema
    FROM pg_partition_tree('"AttributeRecord"') t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE t.isleaf AND NOT EXISTS (
      SELECT FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid
      WHERE h.inhparent = '"AttributeRecord_next_key"'::regclass AND i.indrelid = t.relid)
  LOOP
    FOR attempt IN 1..300 LOOP
      BEGIN
        SET LOCAL lock_timeout = '300ms';
        EXECUTE format('CREATE INDEX %I ON %s ("userId", "capturedAt", "id", "deviceId", "sceneId")', part.name, part.relid::regclass);
        EXECUTE format('ALTER INDEX "AttributeRecord_next_key" ATTACH PARTITION %I.%I', part.schema, part.name);
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
      IF NOT (SELECT indisvalid FROM pg_index WHERE indexrelid = '"AttributeRecord_next_key"'::regclass) THEN
        RAISE 'A partition of "AttributeRecord" has no index yet: run the migrations again.';
      END IF;
      DROP INDEX IF EXISTS "AttributeRecord_user_list_idx";
      ALTER INDEX "AttributeRecord_next_key" RENAME TO "AttributeRecord_user_list_idx";
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;
