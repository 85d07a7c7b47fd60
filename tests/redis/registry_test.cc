// The table of commands as servers see it that know categories of commands,
// which the one of the other tests does not.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "redis/command.h"
#include "redis/commands.h"

namespace tamis::redis {
namespace {

struct Registered {
  std::string flags;
  std::string categories;
  int last_key = 0;
  bool described = false;
};
std::map<std::string, Registered> commands;
std::vector<std::string> categories;

CommandHandle* Find(Context* /*context*/, const char* name) {
  return reinterpret_cast<CommandHandle*>(&commands.at(name));
}
Registered& Of(CommandHandle* handle) {
  return *reinterpret_cast<Registered*>(handle);
}

class RegistryTest : public testing::Test {
 protected:
  void SetUp() override {
    commands.clear();
    categories.clear();
    api = {};
    api.CreateCommand = [](Context*, const char* name, CommandFunction,
                           const char* flags, int first, int last, int step) {
      EXPECT_EQ(first, 1);
      EXPECT_EQ(step, 1);
      commands[name] = {flags, "", last, false};
      return kOk;
    };
  }
  static void KnowMore() {
    api.GetCommand = Find;
    api.SetCommandInfo = [](CommandHandle* handle, const CommandInfo* info) {
      EXPECT_NE(info->arity, 0);
      Of(handle).described = true;
      return kOk;
    };
    api.AddACLCategory = [](Context*, const char* name) {
      categories.emplace_back(name);
      return kOk;
    };
    api.SetCommandACLCategories = [](CommandHandle* handle, const char* names) {
      Of(handle).categories = names;
      return kOk;
    };
  }
};

TEST_F(RegistryTest, EveryCommandHasItsCategories) {
  KnowMore();
  ASSERT_TRUE(CreateCommands(nullptr));
  EXPECT_EQ(categories, std::vector<std::string>{"tamis"});
  EXPECT_EQ(commands.size(), 10u + 13u + 15u);
  for (const auto& [name, command] : commands) {
    const bool reads = command.flags.starts_with("readonly");
    const bool fast = command.flags.ends_with("fast");
    EXPECT_EQ(command.categories, std::string(reads ? "read" : "write") +
                                      (fast ? " fast" : " slow") + " tamis")
        << name;
    EXPECT_TRUE(command.described) << name;
    EXPECT_EQ(command.last_key, name == "AF.MERGE" ? -1 : 1) << name;
  }
  EXPECT_EQ(commands["BF.EXISTS"].flags, "readonly fast");
  EXPECT_EQ(commands["CF.DEL"].flags, "write fast") << "deletes when full";
  EXPECT_EQ(commands["AF.REPORT"].flags, "write deny-oom");
}

TEST_F(RegistryTest, OldServersAndFamiliesThatAreOff) {
  const Settings before = settings;
  settings.bloom = settings.cuckoo = false;
  ASSERT_TRUE(CreateCommands(nullptr));
  EXPECT_EQ(commands.size(), 15u);
  settings = before;
  api.CreateCommand = [](Context*, const char*, CommandFunction, const char*,
                         int, int, int) { return kError; };
  EXPECT_FALSE(CreateCommands(nullptr)) << "the server refuses";
}

}  // namespace
}  // namespace tamis::redis
