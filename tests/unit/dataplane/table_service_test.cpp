#include "dataplane/tables/service.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::tables {
namespace {

constexpr FieldSchema kRouteFields[] = {{"dst", 32, MatchKind::lpm, Format::ipv4}};
constexpr FieldSchema kStationFields[] = {{"port", 32, MatchKind::exact, Format::port},
                                          {"mac", 48, MatchKind::ternary, Format::mac}};
constexpr ParamSchema kToPort[] = {{"port", 32, Format::port}, {"weight", 4, Format::integer}};
constexpr ActionSchema kActions[] = {{"send", kToPort}, {"drop", {}}};

// Writes down what the service asks of it.
class RecordingTable final : public Table {
 public:
  RecordingTable(TableSchema schema, std::string& log) : schema_(schema), log_(log) {}

  const TableSchema& schema() const override { return schema_; }
  absl::Status insert(const Entry& entry) override {
    if (entry.params[1] == 13) return absl::ResourceExhaustedError("unlucky");
    log_ += 'i';
    return absl::OkStatus();
  }
  absl::Status modify(const Entry& before, const Entry& after) override {
    if (after.params[1] == 13) return absl::ResourceExhaustedError("unlucky");
    log_ += before.params[0] == after.params[0] ? 'm' : 'M';
    return absl::OkStatus();
  }
  void remove(const Entry&) override { log_ += 'r'; }
  void publish() override { log_ += 'p'; }
  void reclaim() override { log_ += 'c'; }

 private:
  TableSchema schema_;
  std::string& log_;
};

class TableServiceTest : public ::testing::Test {
 protected:
  TableServiceTest() : service_([this] { log_ += 's'; }, 2) {
    routes_ = service_.add(
        std::make_unique<RecordingTable>(TableSchema{"routes", kRouteFields, kActions, 3, ""}, log_));
  }

  Entry route(uint32_t dst, unsigned length, Value port = 0, Value weight = 0) const {
    Entry entry;
    entry.table = routes_;
    entry.key.match[0] = {dst, prefix_mask(32, length)};
    entry.params = {port, weight};
    return entry;
  }
  absl::Status insert(const Entry& entry) { return service_.apply({Operation::insert, entry}); }
  absl::Status modify(const Entry& entry) { return service_.apply({Operation::modify, entry}); }
  absl::Status remove(const Entry& entry) { return service_.apply({Operation::remove, entry}); }

  std::string log_;
  TableService service_;
  TableId routes_;
};

std::string text(const absl::Status& status) { return status.ToString(); }

TEST_F(TableServiceTest, AWriteIsPublishedThenSynchronisedThenReclaimed) {
  EXPECT_TRUE(insert(route(0x0a000000, 8)).ok());
  EXPECT_EQ(log_, "ipsc");
}

TEST_F(TableServiceTest, ABatchHasOneGracePeriodAndAStatusForEachUpdate) {
  const Update batch[] = {{Operation::insert, route(0x0a000000, 8)},
                          {Operation::insert, route(0x0a000000, 8)},
                          {Operation::modify, route(0x0b000000, 8)},
                          {Operation::insert, route(0x0a010000, 16)},
                          {Operation::remove, route(0x0a000000, 8)}};
  const auto results = service_.apply(batch);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].ok());
  EXPECT_EQ(text(results[1]), "ALREADY_EXISTS: routes: entry exists already: dst=10.0.0.0/8");
  EXPECT_EQ(text(results[2]), "NOT_FOUND: routes: no such entry: dst=11.0.0.0/8");
  EXPECT_TRUE(results[3].ok());
  EXPECT_TRUE(results[4].ok());
  EXPECT_EQ(log_, "iirpsc");
  EXPECT_EQ(service_.size(routes_), 1u);
}

TEST_F(TableServiceTest, ABatchThatChangesNothingDisturbsNobody) {
  EXPECT_FALSE(remove(route(0x0a000000, 8)).ok());
  EXPECT_EQ(log_, "");
}

TEST_F(TableServiceTest, ModifyGetsTheEntryAsItWasAndFindSeesTheNewOne) {
  ASSERT_TRUE(insert(route(0x0a000000, 8, 0)).ok());
  ASSERT_TRUE(modify(route(0x0a000000, 8, 1)).ok());
  EXPECT_EQ(log_, "ipscMpsc");
  EXPECT_EQ(service_.find(routes_, route(0x0a000000, 8).key)->params[0], Value{1});
}

TEST_F(TableServiceTest, AnEntryThatTheTableRefusesIsNotThere) {
  EXPECT_EQ(text(insert(route(0x0a000000, 8, 0, 13))), "RESOURCE_EXHAUSTED: unlucky");
  EXPECT_EQ(service_.size(routes_), 0u);
  ASSERT_TRUE(insert(route(0x0a000000, 8, 0, 1)).ok());
  EXPECT_FALSE(modify(route(0x0a000000, 8, 0, 13)).ok());
  EXPECT_EQ(service_.find(routes_, route(0x0a000000, 8).key)->params[1], Value{1});
}

TEST_F(TableServiceTest, ATableTakesAsManyEntriesAsItsSchemaSays) {
  for (uint32_t i = 0; i < 3; ++i) ASSERT_TRUE(insert(route(i << 24, 8)).ok());
  EXPECT_EQ(text(insert(route(0x09000000, 8))), "RESOURCE_EXHAUSTED: routes: table is full (3 entries)");
  EXPECT_TRUE(modify(route(0, 8, 1)).ok());
  ASSERT_TRUE(remove(route(0, 8)).ok());
  EXPECT_TRUE(insert(route(0x09000000, 8)).ok());
}

TEST_F(TableServiceTest, UpsertInsertsOrModifies) {
  EXPECT_TRUE(service_.upsert(route(0x0a000000, 8)).ok());
  EXPECT_TRUE(service_.upsert(route(0x0a000000, 8, 1)).ok());
  EXPECT_EQ(log_, "ipscMpsc");
}

TEST_F(TableServiceTest, EntriesAreReadInTheOrderOfTheirKeysInSlices) {
  for (uint32_t i : {2u, 0u, 1u}) ASSERT_TRUE(insert(route(i << 24, 8)).ok());
  std::vector<Value> seen;
  service_.read(routes_, 1, 1, [&](const Entry& entry) { seen.push_back(entry.key.match[0].value); });
  service_.read(routes_, 2, 9, [&](const Entry& entry) { seen.push_back(entry.key.match[0].value); });
  service_.read(routes_, 3, 9, [&](const Entry& entry) { seen.push_back(entry.key.match[0].value); });
  EXPECT_EQ(seen, (std::vector<Value>{0x01000000, 0x02000000}));
}

TEST_F(TableServiceTest, TablesAreFoundByNameAndAWrongNameGetsTheList) {
  EXPECT_EQ(service_.table_by_name("routes").value(), routes_);
  EXPECT_EQ(text(service_.table_by_name("rotes").status()),
            "NOT_FOUND: table: 'rotes' does not exist (there are routes)");
  Entry nowhere = route(0, 8);
  nowhere.table = static_cast<TableId>(7);
  EXPECT_EQ(text(insert(nowhere)), "NOT_FOUND: no such table");
}

// Each complaint names table, field and value.
class Validate : public ::testing::Test {
 protected:
  static constexpr TableSchema kRoutes{"routes", kRouteFields, kActions, 3, ""};
  static constexpr TableSchema kStations{"stations", kStationFields, kActions, 3, ""};

  Validate() {
    route_.key.match[0] = {0x0a000000, prefix_mask(32, 8)};
    station_.key.match[0] = {1, low_mask(32)};
    station_.key.match[1] = {0x020000000000, 0xff0000000000};
    station_.key.priority = 5;
  }
  std::string complaint(const TableSchema& schema, const Entry& entry) {
    const auto status = validate(schema, entry, 2);
    return status.ok() ? "" : std::string(status.message());
  }
  Entry route_, station_;
};

TEST_F(Validate, GoodEntriesPass) {
  EXPECT_EQ(complaint(kRoutes, route_), "");
  EXPECT_EQ(complaint(kStations, station_), "");
  route_.key.match[0] = {0, 0};
  EXPECT_EQ(complaint(kRoutes, route_), "") << "the default route";
}

TEST_F(Validate, BitsOutsideThePrefix) {
  route_.key.match[0].value = 0x0a000001;
  EXPECT_EQ(complaint(kRoutes, route_), "routes.dst: 0xa000001 has bits outside its mask");
}

TEST_F(Validate, MaskThatIsNoPrefix) {
  route_.key.match[0] = {0, 0xff00ff00};
  EXPECT_EQ(complaint(kRoutes, route_), "routes.dst: mask 0xff00ff00 is not a prefix");
}

TEST_F(Validate, ValueWiderThanItsField) {
  route_.key.match[0] = {Value{1} << 40, low_mask(128)};
  EXPECT_EQ(complaint(kRoutes, route_), "routes.dst: 0x10000000000 needs more than 32 bits");
  route_.key.match[0] = {0, low_mask(33)};
  EXPECT_EQ(complaint(kRoutes, route_), "routes.dst: mask 0x1ffffffff needs more than 32 bits");
}

TEST_F(Validate, ExactMatchTakesNoMask) {
  station_.key.match[0] = {0, 0};
  EXPECT_EQ(complaint(kStations, station_), "stations.port: an exact match takes no mask");
}

TEST_F(Validate, PortsMustExistInKeysAndParameters) {
  station_.key.match[0].value = 2;
  EXPECT_EQ(complaint(kStations, station_), "stations.port: port 2 does not exist (there are 2)");
  route_.params[0] = 0xffff;
  EXPECT_EQ(complaint(kRoutes, route_), "routes.port: port 65535 does not exist (there are 2)");
}

TEST_F(Validate, ParametersFitTheirWidth) {
  route_.params[1] = 16;
  EXPECT_EQ(complaint(kRoutes, route_), "routes.weight: 0x10 needs more than 4 bits");
}

TEST_F(Validate, PriorityIsForTernaryTablesAndOnlyForThem) {
  station_.key.priority = 0;
  EXPECT_EQ(complaint(kStations, station_),
            "stations.priority: must be above 0 for a table with ternary fields");
  route_.key.priority = 1;
  EXPECT_EQ(complaint(kRoutes, route_), "routes.priority: is only for tables with ternary fields");
}

TEST_F(Validate, ActionsMustExist) {
  route_.action = static_cast<ActionId>(2);
  EXPECT_EQ(complaint(kRoutes, route_), "routes.action: does not exist");
}

}  // namespace
}  // namespace sluice::tables
