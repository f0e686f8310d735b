-- A visit is written three times, and no index lets a write stay in its page. The rows before stay until a vacuum, which came when a fifth of the
-- table was dead, after weeks: the table held them, and so many of its pages were not known as visible to all that history read the table instead
-- of its indexes. Indexes get full pages, because new rows of a scene or run lie at its end, where one page is halved; the job full-indexes builds
-- them within the hour, because their comments are gone. No reader or writer waits for these locks.
ALTER TABLE "Visit" SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER INDEX "Visit_pkey" SET (fillfactor = 100);
ALTER INDEX "Visit_counted_idx" SET (fillfactor = 100);
COMMENT ON INDEX "Visit_pkey" IS NULL;
COMMENT ON INDEX "Visit_counted_idx" IS NULL;
