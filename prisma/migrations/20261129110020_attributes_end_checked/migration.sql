-- Second of three steps. The few records that are later, of machines whose clock is wrong, wait in the default partition, which the
-- next step attaches. Then PostgreSQL reads the table once to check the rest. Neither holds up readers or writers.
DO $$
DECLARE
  home text := current_schema();
  boundary text;
  owner name;
BEGIN
  SELECT pg_get_userbyid(relowner) INTO STRICT owner FROM pg_class WHERE oid = '"AttributeRecord"'::regclass;
  -- A role may lack the right to create a schema: then the default partition lies beside the table.
  BEGIN
    IF to_regnamespace('partitions') IS NULL THEN
      CREATE SCHEMA partitions;
      IF owner <> current_user THEN EXECUTE format('ALTER SCHEMA partitions OWNER TO %I', owner); END IF;
    END IF;
    IF has_schema_privilege('partitions', 'CREATE') THEN home := 'partitions'; END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'This role may not create the schema "partitions": "AttributeRecord" stays in one partition until it exists';
  END;
  SELECT (regexp_match(pg_get_constraintdef(oid), '''[^'']+'''))[1] INTO STRICT boundary
  FROM pg_constraint WHERE conrelid = '"AttributeRecord"'::regclass AND conname = 'AttributeRecord_end_check';
  EXECUTE format('CREATE TABLE %I."AttributeRecord_default" (LIKE "AttributeRecord" INCLUDING ALL EXCLUDING INDEXES)', home);
  IF owner <> current_user THEN EXECUTE format('ALTER TABLE %I."AttributeRecord_default" OWNER TO %I', home, owner); END IF;
  EXECUTE format('ALTER TABLE %I."AttributeRecord_default" DROP CONSTRAINT "AttributeRecord_end_check"', home);
  EXECUTE format(
    'WITH late AS (DELETE FROM "AttributeRecord" WHERE "capturedAt" >= %s::timestamptz RETURNING *) INSERT INTO %I."AttributeRecord_default" SELECT * FROM late',
    boundary, home);
  ALTER TABLE "AttributeRecord" VALIDATE CONSTRAINT "AttributeRecord_end_check";
END $$;
