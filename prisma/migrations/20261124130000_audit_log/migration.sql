-- The audit log: who did what with an account, and who looked at its pictures.
CREATE TYPE "AuditActor" AS ENUM ('session', 'key', 'administrator', 'address', 'operator', 'system');

CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "actorKind" "AuditActor" NOT NULL,
    "actorId" UUID,
    "action" VARCHAR(60) NOT NULL,
    "targetKind" VARCHAR(40),
    "targetId" VARCHAR(100),
    "details" JSONB NOT NULL DEFAULT '{}',
    "networkAddress" VARCHAR(45),
    "at" TIMESTAMPTZ(3) NOT NULL,
    "once" VARCHAR(150),

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "AuditEntry_user_list_idx" ON "AuditEntry"("userId", "at" DESC, "id" DESC, "action", "actorId", "targetId");
CREATE INDEX "AuditEntry_list_idx" ON "AuditEntry"("at" DESC, "id" DESC, "action", "actorId", "targetId");
CREATE UNIQUE INDEX "AuditEntry_once_idx" ON "AuditEntry"("userId", "once") WHERE "once" IS NOT NULL;

ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Entries are only added. They go with their user, and at the earliest after 30 days by retention: no code and no
-- statement on the command line can remove a younger one.
CREATE FUNCTION audit_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < clock_timestamp() - interval '30 days' OR NOT EXISTS (SELECT 1 FROM "User" u WHERE u.id = OLD."userId") THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit log cannot be changed or removed' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER "AuditEntry_stays" BEFORE UPDATE OR DELETE ON "AuditEntry"
  FOR EACH ROW EXECUTE FUNCTION audit_entry_stays();
CREATE TRIGGER "AuditEntry_stays_whole" BEFORE TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_stays();
