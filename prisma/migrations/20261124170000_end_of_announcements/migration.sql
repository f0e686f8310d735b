-- When an administrator ended an announcement. Pages show the announcements that have not ended.
ALTER TABLE "Announcement" ADD COLUMN "endedAt" TIMESTAMPTZ(3);

CREATE INDEX "Announcement_shown" ON "Announcement" ("createdAt" DESC) WHERE "endedAt" IS NULL;
