-- Who has seen an alert event, and when. Null while nobody has.
ALTER TABLE "AlertEvent" ADD COLUMN "acknowledgedAt" TIMESTAMPTZ(3), ADD COLUMN "acknowledgedBy" JSONB;
