-- What a track was counted as: a gender or age that becomes known later is added once.
ALTER TABLE "AttributeTrack" ADD COLUMN "gender" VARCHAR(20), ADD COLUMN "age" VARCHAR(20);
