-- A key that was made over the API knows the key that made it, so that revoking the one revokes the other.
-- Keys that exist already have no parent: nobody knows who made them.
ALTER TABLE "ApiKey" ADD COLUMN "parentId" UUID;
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_parentId_fkey"
  FOREIGN KEY ("parentId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "ApiKey_parentId_idx" ON "ApiKey"("parentId");
