-- The time zone of a camera: in which its days begin. Null where nobody said it.
ALTER TABLE "Device" ADD COLUMN "timezone" VARCHAR(64);

-- Sites: devices that a user looks at together. A device may belong to several.
CREATE TABLE "Site" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SiteDevice" (
    "siteId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,

    CONSTRAINT "SiteDevice_pkey" PRIMARY KEY ("siteId","deviceId")
);

CREATE INDEX "Site_userId_createdAt_id_idx" ON "Site"("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "SiteDevice_deviceId_idx" ON "SiteDevice"("deviceId");

ALTER TABLE "Site" ADD CONSTRAINT "Site_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "SiteDevice" ADD CONSTRAINT "SiteDevice_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "SiteDevice" ADD CONSTRAINT "SiteDevice_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
