-- Which sensitive attributes of people are determined: of all devices of a user, of a device. Constant defaults do not rewrite
-- the tables.
ALTER TABLE "User" ADD COLUMN "attributeGroups" TEXT[] NOT NULL DEFAULT '{gender,age}';
ALTER TABLE "Device" ADD COLUMN "attributeGroups" TEXT[] NOT NULL DEFAULT '{gender,age}';
-- Groups that were switched off at some capture of the hour.
ALTER TABLE "AttributeHour" ADD COLUMN "switchedOff" TEXT[] NOT NULL DEFAULT '{}';

-- Nodes learn of a change like of one of the masks.
CREATE TRIGGER "Device_attributes_changed" BEFORE UPDATE OF "attributeGroups" ON "Device"
  FOR EACH ROW WHEN (OLD."attributeGroups" <> NEW."attributeGroups") EXECUTE FUNCTION device_privacy_changed();
CREATE TRIGGER "Device_attributes_revised" AFTER UPDATE OF "attributeGroups" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyRevision" <> NEW."privacyRevision") EXECUTE FUNCTION privacy_revised();
CREATE TRIGGER "User_attributes_changed" AFTER UPDATE OF "attributeGroups" ON "User"
  FOR EACH ROW WHEN (OLD."attributeGroups" <> NEW."attributeGroups") EXECUTE FUNCTION user_privacy_changed();
