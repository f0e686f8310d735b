-- Second of three steps. The few minutes that are later, of machines whose clock is wrong, wait in the default partition, which the
-- next step attaches. Then PostgreSQL reads the table once to check the rest. Neither holds up readers or writers.
DO $$
DECLARE
  home text := current_schema();
  boundary text;
  owner name;
BEGIN
  -- Their quarters of an hour stay: the rows only move.
  PERFORM set_config('retention.keeps_quarters', 'on', true);
  SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = '"OccupancyMinute"'::regclass;
  -- A role may lack the right to create a schema: then the default partition lies beside the table.
  BEGIN
    IF to_regnamespace('partitions') IS NULL THEN
      CREATE SCHEMA partitions;
      IF owner <> current_user THEN EXECUTE format('ALTER SCHEMA partitions OWNER TO %I', owner); END IF;
    END IF;
    IF has_schema_privilege('partitions', 'CREATE') THEN home := 'partitions'; END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'This role may not create the schema "partitions": "OccupancyMinute" stays in one partition until it exists';
  END;
  SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
  FROM pg_constraint WHERE conrelid = '"OccupancyMinute"'::regclass AND conname = 'OccupancyMinute_end_check';
  EXECUTE format('CREATE TABLE %I."OccupancyMinute_default" (LIKE "OccupancyMinute" INCLUDING ALL EXCLUDING INDEXES)', home);
  IF owner <> current_user THEN EXECUTE format('ALTER TABLE %I."OccupancyMinute_default" OWNER TO %I', home, owner); END IF;
  EXECUTE format('ALTER TABLE %I."OccupancyMinute_default" DROP CONSTRAINT "OccupancyMinute_end_check"', home);
  EXECUTE format(
    'WITH late AS (DELETE FROM "OccupancyMinute" WHERE minute >= %s::timestamptz RETURNING *) INSERT INTO %I."OccupancyMinute_default" SELECT * FROM late',
    boundary, home);
  ALTER TABLE "OccupancyMinute" VALIDATE CONSTRAINT "OccupancyMinute_end_check";
END $$;
