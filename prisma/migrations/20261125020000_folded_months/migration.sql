-- Usage events and ledger rows of old months are removed; what they were worth stays, so that the books still agree.
ALTER TABLE "Quota" ADD COLUMN "foldedAt" TIMESTAMPTZ(3);

CREATE TABLE "FoldedQuota" (
    "quotaId" UUID NOT NULL,
    "ledger" BIGINT NOT NULL DEFAULT 0,
    "used" BIGINT NOT NULL DEFAULT 0,
    "events" INTEGER NOT NULL DEFAULT 0,
    "completedAt" TIMESTAMPTZ(3),
    CONSTRAINT "FoldedQuota_pkey" PRIMARY KEY ("quotaId"),
    CONSTRAINT "FoldedQuota_quotaId_fkey" FOREIGN KEY ("quotaId") REFERENCES "Quota"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- partial: the few that are being folded
CREATE INDEX "FoldedQuota_open_idx" ON "FoldedQuota"("quotaId") WHERE "completedAt" IS NULL;
-- partial: the months that are not folded yet, oldest first
CREATE INDEX "Quota_unfolded_idx" ON "Quota"("period") WHERE "foldedAt" IS NULL;
