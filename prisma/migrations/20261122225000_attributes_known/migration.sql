-- Of how many people each attribute could be told, so that 0 can be told from unknown. What was stored before stays null:
-- it was never recorded.
ALTER TABLE "AttributeRecord"
    ADD COLUMN "known" JSONB,
    ADD COLUMN "coveredKeys" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "AttributeTrack" ADD COLUMN "knownKeys" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "AttributeHour"
    ADD COLUMN "knownFemale" INTEGER,
    ADD COLUMN "knownMale" INTEGER,
    ADD COLUMN "knownAgeLess18" INTEGER,
    ADD COLUMN "knownAge18To60" INTEGER,
    ADD COLUMN "knownAgeOver60" INTEGER,
    ADD COLUMN "coveredKeys" TEXT[] DEFAULT ARRAY[]::TEXT[];
