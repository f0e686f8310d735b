-- Second of three steps. The few rows that end later, of machines whose clock is wrong, wait in the default partitions, which the next
-- step attaches. Then PostgreSQL reads the tables once to check the rest. Neither holds up readers or writers.
DO $$
DECLARE
  home text := current_schema();
  boundary text;
  name text;
  owner name;
BEGIN
  SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = '"MetricSnapshot"'::regclass;
  -- A role may lack the right to create a schema: then the default partitions lie beside the tables.
  BEGIN
    IF to_regnamespace('partitions') IS NULL THEN
      CREATE SCHEMA partitions;
      IF owner <> current_user THEN EXECUTE format('ALTER SCHEMA partitions OWNER TO %I', owner); END IF;
    END IF;
    IF has_schema_privilege('partitions', 'CREATE') THEN home := 'partitions'; END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'This role may not create the schema "partitions": metrics stay in one partition until it exists';
  END;
  FOREACH name IN ARRAY ARRAY['MetricSnapshot', 'RollingRecord'] LOOP
    SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
    FROM pg_constraint WHERE conrelid = format('%I', name)::regclass AND conname = name || '_end_check';
    EXECUTE format('CREATE TABLE %I.%I (LIKE %I INCLUDING ALL EXCLUDING INDEXES)', home, name || '_default', name);
    IF owner <> current_user THEN EXECUTE format('ALTER TABLE %I.%I OWNER TO %I', home, name || '_default', owner); END IF;
    EXECUTE format('ALTER TABLE %I.%I DROP CONSTRAINT %I', home, name || '_default', name || '_end_check');
    EXECUTE format(
      'WITH late AS (DELETE FROM %I WHERE "windowEnd" >= %s::timestamptz RETURNING *) INSERT INTO %I.%I SELECT * FROM late',
      name, boundary, home, name || '_default');
    EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT %I', name, name || '_end_check');
  END LOOP;
END $$;
