-- Last of three steps, in milliseconds: the former table becomes the partition "AttributeRecord_before" of a new table with the same
-- name and columns. Programs of the former version go on writing.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "AttributeRecord", "User", "Device", "Scene", "Insight" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

ALTER TABLE "AttributeRecord" DROP CONSTRAINT "AttributeRecord_pkey";
ALTER TABLE "AttributeRecord" RENAME TO "AttributeRecord_before";
ALTER INDEX "AttributeRecord_deviceId_capturedAt_idx" RENAME TO "AttributeRecord_before_deviceId_capturedAt_idx";
ALTER INDEX "AttributeRecord_insightId_idx" RENAME TO "AttributeRecord_before_insightId_idx";
ALTER INDEX "AttributeRecord_createdAt_idx" RENAME TO "AttributeRecord_before_createdAt_idx";
ALTER INDEX "AttributeRecord_sceneId_capturedAt_key" RENAME TO "AttributeRecord_before_sceneId_capturedAt_key";
ALTER INDEX "AttributeRecord_user_list_idx" RENAME TO "AttributeRecord_before_user_list_idx";
ALTER INDEX "AttributeRecord_id_idx" RENAME TO "AttributeRecord_before_id_idx";
-- The first column goes at once. So no partition has the layout of the table, and PostgreSQL copies each row that is inserted:
-- `RETURNING xmax`, by which programs of the former version tell new records, works only with such a copy.
CREATE TABLE "AttributeRecord" (
    "layout" BOOLEAN,
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "insightId" UUID,
    "taskId" UUID,
    "computeNodeId" UUID,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "totalPersons" INTEGER NOT NULL,
    "attributes" JSONB NOT NULL,
    "persons" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "known" JSONB,
    "coveredKeys" TEXT[] DEFAULT ARRAY[]::TEXT[]
) PARTITION BY RANGE ("capturedAt");
ALTER TABLE "AttributeRecord" DROP COLUMN "layout";
CREATE UNIQUE INDEX "AttributeRecord_sceneId_capturedAt_key" ON "AttributeRecord"("sceneId", "capturedAt" DESC);
CREATE INDEX "AttributeRecord_id_idx" ON "AttributeRecord"("id");
CREATE INDEX "AttributeRecord_user_list_idx" ON "AttributeRecord"("userId", "capturedAt" DESC, "id" DESC, "deviceId", "sceneId");
CREATE INDEX "AttributeRecord_deviceId_capturedAt_idx" ON "AttributeRecord"("deviceId", "capturedAt" DESC);
CREATE INDEX "AttributeRecord_insightId_idx" ON "AttributeRecord"("insightId");
CREATE INDEX "AttributeRecord_createdAt_idx" ON "AttributeRecord" USING BRIN ("createdAt");
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_insightId_fkey" FOREIGN KEY ("insightId") REFERENCES "Insight"("id") ON DELETE SET NULL ON UPDATE CASCADE;

DO $$
DECLARE
  -- Text of times, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  former oid := '"AttributeRecord_before"'::regclass;
  home text;
  boundary text;
  owner name;
  granted record;
  rows bigint;
BEGIN
  -- The new table belongs to whom the former one belonged, and whoever had rights keeps them.
  SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = former;
  IF owner <> current_user THEN EXECUTE format('ALTER TABLE "AttributeRecord" OWNER TO %I', owner); END IF;
  FOR granted IN
    SELECT a.privilege_type, a.is_grantable, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS who
    FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = former AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON TABLE "AttributeRecord" TO %s%s', granted.privilege_type, granted.who,
      CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
  SELECT n.nspname INTO STRICT home FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = 'AttributeRecord_default' AND n.nspname IN ('partitions', current_schema());
  EXECUTE format('ALTER TABLE "AttributeRecord" ATTACH PARTITION %I."AttributeRecord_default" DEFAULT', home);

  SELECT count(*) INTO rows FROM (SELECT FROM "AttributeRecord_before" LIMIT 10001) t;
  IF rows <= 10000 THEN
    IF home = 'partitions' THEN
      FOR day IN 0..2 LOOP
        EXECUTE format('CREATE TABLE partitions.%I PARTITION OF "AttributeRecord" FOR VALUES FROM (%L) TO (%L)',
          'AttributeRecord' || to_char(date_trunc('day', now(), 'UTC') + day * interval '1 day', '_YYYY_MM_DD'),
          date_trunc('day', now(), 'UTC') + day * interval '1 day', date_trunc('day', now(), 'UTC') + (day + 1) * interval '1 day');
      END LOOP;
    END IF;
    INSERT INTO "AttributeRecord" SELECT * FROM "AttributeRecord_before";
    DROP TABLE "AttributeRecord_before";
  ELSE
    SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
    FROM pg_constraint WHERE conrelid = former AND conname = 'AttributeRecord_end_check';
    IF home = 'partitions' THEN ALTER TABLE "AttributeRecord_before" SET SCHEMA partitions; END IF;
    EXECUTE format('ALTER TABLE "AttributeRecord" ATTACH PARTITION %I."AttributeRecord_before" FOR VALUES FROM (MINVALUE) TO (%s)', home, boundary);
    EXECUTE format('ALTER TABLE %I."AttributeRecord_before" DROP CONSTRAINT "AttributeRecord_end_check"', home);
  END IF;
END $$;

-- What a primary key was for logical replication.
DO $$
DECLARE
  identity record;
BEGIN
  FOR identity IN
    SELECT p.relid::regclass AS part, c.relname AS key FROM pg_partition_tree('"AttributeRecord"') p
      JOIN pg_index i ON i.indrelid = p.relid AND i.indisunique JOIN pg_class c ON c.oid = i.indexrelid
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', identity.part, identity.key);
  END LOOP;
END $$;

-- Rows of several partitions may have the same ctid: see the migration of the metrics.
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "AttributeRecord" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
