#include "dataplane/tables/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace sluice::tables {
namespace {

using absl::InvalidArgumentError;

bool is_mapped_ipv4(Value value) { return value >> 32 == 0xffff; }

std::string numbered_name(Value value, const std::vector<std::string>& names) {
  return value < names.size() ? names[static_cast<size_t>(value)] : fmt::format("{}", static_cast<uint64_t>(value));
}

std::optional<Value> integer_from_text(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) text.remove_prefix(2), base = 16;
  if (text.size() > 16 && base == 16) {
    const auto low = integer_from_text(fmt::format("0x{}", text.substr(text.size() - 16)));
    const auto high = integer_from_text(fmt::format("0x{}", text.substr(0, text.size() - 16)));
    if (text.size() > 32 || !low || !high) return std::nullopt;
    return *high << 64 | *low;
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Value> name_from_text(std::string_view text, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

template <class Address>
std::optional<Value> address_value(const std::optional<Address>& address) {
  return address ? std::optional(value_of(*address)) : std::nullopt;
}

std::string_view expected_form(Format format) {
  switch (format) {
    case Format::integer: return "a number (decimal or 0x…)";
    case Format::port: return "the name or number of a port";
    case Format::mac: return "a MAC address like 02:00:00:00:00:01";
    case Format::ipv4: return "an IPv4 address";
    case Format::ipv6: return "an IPv6 address";
    case Format::any_ip: return "an IPv4 or IPv6 address";
    case Format::cause: return "a punt cause";
  }
  return "";
}

absl::Status rename(std::string_view field, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("{}: {}", field, std::string(status.message())));
}

std::string names_of(auto range) {
  std::string text;
  for (const auto& item : range) text += fmt::format("{}{}", text.empty() ? "" : ", ", item.name);
  return text;
}

const NamedText* find_named(std::span<const NamedText> items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

// Every given name is known and given once.
absl::Status check_names(std::string_view what, std::span<const NamedText> given, auto known) {
  for (const auto& item : given) {
    if (std::none_of(known.begin(), known.end(), [&](const auto& k) { return k.name == item.name; }))
      return InvalidArgumentError(fmt::format("{}: '{}' does not exist (there are: {})", what, item.name, names_of(known)));
    if (find_named(given, item.name) != &item)
      return InvalidArgumentError(fmt::format("{}: '{}' is given twice", what, item.name));
  }
  return absl::OkStatus();
}

}  // namespace

std::string_view name_of(MatchKind kind) {
  switch (kind) {
    case MatchKind::exact: return "exact";
    case MatchKind::lpm: return "lpm";
    case MatchKind::ternary: return "ternary";
  }
  return "";
}

std::string_view name_of(Format format) {
  switch (format) {
    case Format::integer: return "integer";
    case Format::port: return "port";
    case Format::mac: return "mac";
    case Format::ipv4: return "ipv4";
    case Format::ipv6: return "ipv6";
    case Format::any_ip: return "ip";
    case Format::cause: return "cause";
  }
  return "";
}

std::string hex_text(Value value) {
  const auto high = static_cast<uint64_t>(value >> 64), low = static_cast<uint64_t>(value);
  return high ? fmt::format("0x{:x}{:016x}", high, low) : fmt::format("0x{:x}", low);
}

std::string value_text(Value value, Format format, const Names& names) {
  switch (format) {
    case Format::integer: return value >> 64 ? hex_text(value) : fmt::format("{}", static_cast<uint64_t>(value));
    case Format::port: return numbered_name(value, names.ports);
    case Format::cause: return numbered_name(value, names.causes);
    case Format::mac: return to_text(to_mac(value));
    case Format::ipv4: return to_text(to_ipv4(value));
    case Format::ipv6: return to_text(to_ipv6(value));
    case Format::any_ip: return is_mapped_ipv4(value) ? to_text(to_ipv4(value)) : to_text(to_ipv6(value));
  }
  return hex_text(value);
}

std::string match_text(const FieldSchema& field, const Match& match, const Names& names) {
  const auto value = value_text(match.value, field.format, names);
  switch (field.kind) {
    case MatchKind::exact: return value;
    case MatchKind::lpm: {
      unsigned length = 0;
      while (length < field.bits && (match.mask >> (field.bits - 1u - length) & 1)) ++length;
      return fmt::format("{}/{}", value, length);
    }
    case MatchKind::ternary:
      if (match.mask == 0) return "*";
      if (match.mask == low_mask(field.bits)) return value;
      return fmt::format("{}&{}", value, value_text(match.mask, field.format, names));
  }
  return value;
}

std::string key_text(const TableSchema& schema, const Key& key, const Names& names) {
  std::string text;
  for (size_t i = 0; i < schema.fields.size(); ++i)
    text += fmt::format("{}{}={}", i ? " " : "", schema.fields[i].name, match_text(schema.fields[i], key.match[i], names));
  return text;
}

absl::StatusOr<Value> value_from_text(std::string_view text, Format format, const Names& names) {
  std::optional<Value> value;
  switch (format) {
    case Format::integer: value = integer_from_text(text); break;
    case Format::port:
      value = name_from_text(text, names.ports);
      if (!value) value = integer_from_text(text);
      break;
    case Format::cause: value = name_from_text(text, names.causes); break;
    case Format::mac: value = address_value(wire::mac_from_text(text)); break;
    case Format::ipv4: value = address_value(wire::ipv4_from_text(text)); break;
    case Format::ipv6: value = address_value(wire::ipv6_from_text(text)); break;
    case Format::any_ip:
      if (const auto v4 = wire::ipv4_from_text(text)) value = mapped(*v4);
      else value = address_value(wire::ipv6_from_text(text));
      break;
  }
  if (!value) return InvalidArgumentError(fmt::format("'{}' is not {}", text, expected_form(format)));
  return *value;
}

absl::StatusOr<Match> match_from_text(const FieldSchema& field, std::string_view text, const Names& names) {
  const Value all = low_mask(field.bits);
  if (field.kind == MatchKind::ternary && text == "*") return Match{0, 0};
  Match match{0, all};
  const char separator = field.kind == MatchKind::lpm ? '/' : '&';
  const auto split = field.kind == MatchKind::exact ? text.npos : text.find(separator);
  auto value = value_from_text(text.substr(0, split), field.format, names);
  if (!value.ok()) return value.status();
  match.value = *value;
  if (split != text.npos) {
    const auto rest = text.substr(split + 1);
    if (field.kind == MatchKind::lpm) {
      const auto length = integer_from_text(rest);
      if (!length || *length > field.bits)
        return InvalidArgumentError(fmt::format("'{}': prefix length is not a number up to {}", text, field.bits));
      match.mask = prefix_mask(field.bits, static_cast<unsigned>(*length));
    } else {
      auto mask = value_from_text(rest, field.format, names);
      if (!mask.ok()) mask = value_from_text(rest, Format::integer, names);
      if (!mask.ok()) return mask.status();
      match.mask = *mask;
    }
  }
  if (match.value & ~match.mask)
    return InvalidArgumentError(fmt::format("'{}' has bits set outside its {}", text,
                                            field.kind == MatchKind::lpm ? "prefix" : "mask"));
  return match;
}

absl::StatusOr<Key> key_from_text(const TableSchema& schema, const EntryText& text, const Names& names) {
  if (auto status = check_names("match", text.match, schema.fields); !status.ok()) return status;
  Key key;
  key.priority = text.priority;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const auto& field = schema.fields[i];
    const auto* given = find_named(text.match, field.name);
    if (!given && field.kind != MatchKind::ternary)
      return InvalidArgumentError(fmt::format("match: '{}' is missing", field.name));
    auto match = match_from_text(field, given ? given->value : "*", names);
    if (!match.ok()) return rename(field.name, match.status());
    key.match[i] = *match;
  }
  return key;
}

absl::StatusOr<Entry> entry_from_text(TableId id, const TableSchema& schema, const EntryText& text, const Names& names) {
  const auto key = key_from_text(schema, text, names);
  if (!key.ok()) return key.status();
  Entry entry;
  entry.table = id;
  entry.key = *key;
  const auto action = std::find_if(schema.actions.begin(), schema.actions.end(),
                                   [&](const auto& a) { return a.name == text.action; });
  if (action == schema.actions.end())
    return InvalidArgumentError(fmt::format("action: '{}' does not exist (there are: {})", text.action, names_of(schema.actions)));
  entry.action = static_cast<ActionId>(action - schema.actions.begin());
  if (auto status = check_names("params", text.params, action->params); !status.ok()) return status;
  for (size_t i = 0; i < action->params.size(); ++i) {
    const auto& param = action->params[i];
    const auto* given = find_named(text.params, param.name);
    if (!given) return InvalidArgumentError(fmt::format("params: '{}' is missing for action '{}'", param.name, action->name));
    auto value = value_from_text(given->value, param.format, names);
    if (!value.ok()) return rename(param.name, value.status());
    entry.params[i] = *value;
  }
  return entry;
}

}  // namespace sluice::tables
