-- Last of three steps, in milliseconds: the former tables become the partition "…_before" of new tables with the same names and
-- columns. Programs of the former version go on writing. Partitions lie in a schema of their own, "partitions", which Prisma does not
-- look at; src/platform/README.md explains who makes and drops them.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "MetricSnapshot", "RollingRecord", "Scene" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

-- Nothing looks for a row by its id, so the key of a row is its scene and time, which has an index already.
ALTER TABLE "MetricSnapshot" DROP CONSTRAINT "MetricSnapshot_pkey";
ALTER TABLE "MetricSnapshot" RENAME TO "MetricSnapshot_before";
ALTER INDEX "MetricSnapshot_createdAt_idx" RENAME TO "MetricSnapshot_before_createdAt_idx";
ALTER INDEX "MetricSnapshot_sceneId_windowEnd_key" RENAME TO "MetricSnapshot_before_sceneId_windowEnd_key";
CREATE TABLE "MetricSnapshot" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "windowEnd" TIMESTAMPTZ(3) NOT NULL,
    "durationSeconds" DOUBLE PRECISION NOT NULL,
    "currentMetrics" JSONB NOT NULL,
    "computeNodeId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
) PARTITION BY RANGE ("windowEnd");
CREATE UNIQUE INDEX "MetricSnapshot_sceneId_windowEnd_key" ON "MetricSnapshot"("sceneId", "windowEnd" DESC);
CREATE INDEX "MetricSnapshot_createdAt_idx" ON "MetricSnapshot" USING BRIN ("createdAt");
ALTER TABLE "MetricSnapshot" ADD CONSTRAINT "MetricSnapshot_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "RollingRecord" DROP CONSTRAINT "RollingRecord_pkey";
ALTER TABLE "RollingRecord" RENAME TO "RollingRecord_before";
ALTER INDEX "RollingRecord_createdAt_idx" RENAME TO "RollingRecord_before_createdAt_idx";
ALTER INDEX "RollingRecord_sceneId_windowEnd_idx" RENAME TO "RollingRecord_before_sceneId_windowEnd_idx";
ALTER INDEX "RollingRecord_sceneId_windowType_windowEnd_key" RENAME TO "RollingRecord_before_sceneId_windowType_windowEnd_key";
CREATE TABLE "RollingRecord" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "windowType" VARCHAR(8) NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "windowEnd" TIMESTAMPTZ(3) NOT NULL,
    "metrics" JSONB NOT NULL,
    "computeNodeId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "RollingRecord_windowType_check" CHECK ("windowType" IN ('5min', '15min', '30min', '60min', 'total'))
) PARTITION BY RANGE ("windowEnd");
CREATE UNIQUE INDEX "RollingRecord_sceneId_windowType_windowEnd_key" ON "RollingRecord"("sceneId", "windowType", "windowEnd" DESC);
CREATE INDEX "RollingRecord_sceneId_windowEnd_idx" ON "RollingRecord"("sceneId", "windowEnd" DESC);
CREATE INDEX "RollingRecord_createdAt_idx" ON "RollingRecord" USING BRIN ("createdAt");
ALTER TABLE "RollingRecord" ADD CONSTRAINT "RollingRecord_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

DO $$
DECLARE
  -- Text of times, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  today timestamptz := date_trunc('day', now(), 'UTC');
  home text;
  boundary text;
  name text;
  former oid;
  owner name;
  granted record;
  rows bigint;
BEGIN
  FOREACH name IN ARRAY ARRAY['MetricSnapshot', 'RollingRecord'] LOOP
    former := format('%I', name || '_before')::regclass;
    SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = former;
    IF owner <> current_user THEN EXECUTE format('ALTER TABLE %I OWNER TO %I', name, owner); END IF;
    -- The new table belongs to whom the former one belonged, and whoever had rights keeps them.
    FOR granted IN
      SELECT a.privilege_type, a.is_grantable, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS who
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = former AND a.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT %s ON TABLE %I TO %s%s', granted.privilege_type, name, granted.who,
        CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
    END LOOP;
    SELECT n.nspname INTO STRICT home FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = name || '_default' AND n.nspname IN ('partitions', current_schema());
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I.%I DEFAULT', name, home, name || '_default');

    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT 10001) t', name || '_before') INTO rows;
    IF rows <= 10000 THEN
      IF home = 'partitions' THEN
        FOR day IN 0..2 LOOP
          EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            name || to_char(today + day * interval '1 day', '_YYYY_MM_DD'), name,
            today + day * interval '1 day', today + (day + 1) * interval '1 day');
        END LOOP;
      END IF;
      EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, name || '_before');
      EXECUTE format('DROP TABLE %I', name || '_before');
    ELSE
      SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
      FROM pg_constraint WHERE conrelid = former AND conname = name || '_end_check';
      IF home = 'partitions' THEN EXECUTE format('ALTER TABLE %I SET SCHEMA partitions', name || '_before'); END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I.%I FOR VALUES FROM (MINVALUE) TO (%s)', name, home, name || '_before', boundary);
      EXECUTE format('ALTER TABLE %I.%I DROP CONSTRAINT %I', home, name || '_before', name || '_end_check');
    END IF;
  END LOOP;
END $$;

-- What a primary key was for logical replication.
DO $$
DECLARE
  identity record;
BEGIN
  FOR identity IN
    SELECT p.relid::regclass AS part, c.relname AS key FROM unnest(ARRAY['"MetricSnapshot"', '"RollingRecord"']) t,
      pg_partition_tree(t::regclass) p JOIN pg_index i ON i.indrelid = p.relid AND i.indisunique JOIN pg_class c ON c.oid = i.indexrelid
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', identity.part, identity.key);
  END LOOP;
END $$;

-- Rows of several partitions may have the same ctid. A statement that removes by ctid alone, as the jobs of the former version do,
-- would remove young rows together with old ones. It fails instead, and the jobs of this version do its work.
CREATE FUNCTION refuse_removal_by_ctid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_query() ~* '\mctid\M' THEN
    RAISE EXCEPTION 'Rows of "%" cannot be removed by ctid, because several of its partitions have the same', TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "MetricSnapshot" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "RollingRecord" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
