-- Last of three steps, in milliseconds: the former table becomes the partition "OccupancyMinute_before" of a new table with the same
-- name and columns. Programs of the former version go on writing.
DO $$
BEGIN
  SET LOCAL lock_timeout = '300ms';
  -- A lock that is asked for holds up everybody who asks later. So each attempt is short.
  FOR attempt IN 1..300 LOOP
    BEGIN
      LOCK TABLE "OccupancyMinute", "Scene" IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      IF attempt = 300 THEN RAISE; END IF;
      PERFORM pg_sleep(0.7);
    END;
  END LOOP;
END $$;

DROP TRIGGER occupancy_quarters_insert ON "OccupancyMinute";
DROP TRIGGER occupancy_quarters_update ON "OccupancyMinute";
DROP TRIGGER occupancy_quarters_delete ON "OccupancyMinute";
ALTER TABLE "OccupancyMinute" RENAME TO "OccupancyMinute_before";
ALTER TABLE "OccupancyMinute_before" RENAME CONSTRAINT "OccupancyMinute_pkey" TO "OccupancyMinute_before_pkey";
ALTER INDEX "OccupancyMinute_minute_idx" RENAME TO "OccupancyMinute_before_minute_idx";
CREATE TABLE "OccupancyMinute" (
    "sceneId" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "inQueueMs" BIGINT NOT NULL,
    "inServiceMs" BIGINT NOT NULL,
    "busyMs" INTEGER NOT NULL,
    "maxInQueue" INTEGER NOT NULL,
    "maxInService" INTEGER NOT NULL,
    CONSTRAINT "OccupancyMinute_pkey" PRIMARY KEY ("sceneId","minute"),
    CONSTRAINT "OccupancyMinute_covered_check" CHECK ("coveredMs" BETWEEN 0 AND 60000),
    CONSTRAINT "OccupancyMinute_minute_check" CHECK (date_trunc('minute', minute, 'UTC') = minute)
) PARTITION BY RANGE ("minute");
CREATE INDEX "OccupancyMinute_minute_idx" ON "OccupancyMinute" USING BRIN ("minute");
ALTER TABLE "OccupancyMinute" ADD CONSTRAINT "OccupancyMinute_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

DO $$
DECLARE
  -- Text of times, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  former oid := '"OccupancyMinute_before"'::regclass;
  home text;
  boundary text;
  owner name;
  granted record;
  rows bigint;
BEGIN
  -- The new table belongs to whom the former one belonged, and whoever had rights keeps them.
  SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = former;
  IF owner <> current_user THEN EXECUTE format('ALTER TABLE "OccupancyMinute" OWNER TO %I', owner); END IF;
  FOR granted IN
    SELECT a.privilege_type, a.is_grantable, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS who
    FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = former AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON TABLE "OccupancyMinute" TO %s%s', granted.privilege_type, granted.who,
      CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
  SELECT n.nspname INTO STRICT home FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = 'OccupancyMinute_default' AND n.nspname IN ('partitions', current_schema());
  EXECUTE format('ALTER TABLE "OccupancyMinute" ATTACH PARTITION %I."OccupancyMinute_default" DEFAULT', home);

  SELECT count(*) INTO rows FROM (SELECT FROM "OccupancyMinute_before" LIMIT 10001) t;
  IF rows <= 10000 THEN
    IF home = 'partitions' THEN
      FOR month IN 0..1 LOOP
        EXECUTE format('CREATE TABLE partitions.%I PARTITION OF "OccupancyMinute" FOR VALUES FROM (%L) TO (%L)',
          'OccupancyMinute' || to_char(date_trunc('month', now(), 'UTC') + month * interval '1 month', '_YYYY_MM'),
          date_trunc('month', now(), 'UTC') + month * interval '1 month',
          date_trunc('month', now(), 'UTC') + (month + 1) * interval '1 month');
      END LOOP;
    END IF;
    INSERT INTO "OccupancyMinute" SELECT * FROM "OccupancyMinute_before";
    DROP TABLE "OccupancyMinute_before";
  ELSE
    SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
    FROM pg_constraint WHERE conrelid = former AND conname = 'OccupancyMinute_end_check';
    IF home = 'partitions' THEN ALTER TABLE "OccupancyMinute_before" SET SCHEMA partitions; END IF;
    EXECUTE format('ALTER TABLE "OccupancyMinute" ATTACH PARTITION %I."OccupancyMinute_before" FOR VALUES FROM (MINVALUE) TO (%s)', home, boundary);
    EXECUTE format('ALTER TABLE %I."OccupancyMinute_before" DROP CONSTRAINT "OccupancyMinute_end_check"', home);
  END IF;
END $$;

-- After the rows moved: their quarters of an hour exist.
CREATE TRIGGER occupancy_quarters_insert AFTER INSERT ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
CREATE TRIGGER occupancy_quarters_update AFTER UPDATE ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
CREATE TRIGGER occupancy_quarters_delete AFTER DELETE ON "OccupancyMinute"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('retention.keeps_quarters', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION occupancy_quarters();

-- Rows of several partitions may have the same ctid: see the migration of the metrics.
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "OccupancyMinute" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
