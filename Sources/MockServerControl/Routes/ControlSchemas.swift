/// The JSON Schemas of the control API's responses by name (JSON Schema 2020-12).
enum ControlSchemas {
  static let all = """
    {
      "Problem": {
        "type": "object", "required": ["title", "status", "detail"],
        "properties": {
          "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
          "count": {"$ref": "#/components/schemas/Count", "description": "Of verify and wait: the number of received requests."},
          "requests": {"type": "array", "items": {"$ref": "#/components/schemas/Request"}},
          "nearest": {
            "type": "array",
            "items": {
              "type": "object", "required": ["number", "request", "differs"],
              "properties": {
                "number": {"$ref": "#/components/schemas/Count"}, "request": {"type": ["string", "null"]},
                "differs": {"$ref": "#/components/schemas/Texts"}
              }
            }
          }
        }
      },
      "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}},
      "Document": {
        "type": "object", "required": ["openapi", "info", "paths"],
        "properties": {
          "openapi": {"type": "string"}, "info": {"type": "object"}, "paths": {"type": "object"},
          "components": {"type": "object"}
        }
      },
      "Count": {"type": "integer", "minimum": 0},
      "Texts": {"type": "array", "items": {"type": "string"}},
      "Recorded": {"type": "object", "description": "An interaction in the format of a cassette.", "required": ["request"]},
      "Interaction": {
        "type": "object", "required": ["id", "method", "url", "plays"],
        "properties": {
          "id": {"type": "string"}, "cassette": {"type": "string"}, "place": {"type": ["string", "null"]},
          "origin": {"type": ["string", "null"]}, "stub": {"type": "boolean"}, "session": {"type": ["string", "null"]},
          "keep": {"type": "boolean"}, "method": {"type": "string"}, "url": {"type": "string"},
          "status": {"type": "integer"}, "failure": {"type": ["string", "null"]},
          "plays": {"$ref": "#/components/schemas/Count"}, "firstPlayedBy": {"$ref": "#/components/schemas/Count"},
          "after": {"type": "string"},
          "position": {
            "type": "object", "required": ["turn", "of", "plays", "isNext"],
            "properties": {
              "turn": {"type": "integer"}, "of": {"type": "integer"}, "plays": {"$ref": "#/components/schemas/Count"},
              "isNext": {"type": "boolean"}
            }
          },
          "interaction": {"$ref": "#/components/schemas/Recorded"}
        }
      },
      "InteractionList": {
        "type": "object", "required": ["interactions"],
        "properties": {"interactions": {"type": "array", "items": {"$ref": "#/components/schemas/Interaction"}}}
      },
      "StubIDs": {
        "type": "object", "required": ["ids"],
        "properties": {"ids": {"$ref": "#/components/schemas/Texts"}, "warnings": {"$ref": "#/components/schemas/Texts"}}
      },
      "Removed": {
        "type": "object", "required": ["removed"], "properties": {"removed": {"$ref": "#/components/schemas/Count"}}
      },
      "Saved": {
        "type": "object", "required": ["cassette", "ids"],
        "properties": {"cassette": {"type": "string"}, "ids": {"$ref": "#/components/schemas/Texts"}}
      },
      "Gate": {
        "type": "object", "required": ["name", "arrived", "held"],
        "properties": {"name": {"type": "string"}, "arrived": {"type": "integer"}, "held": {"type": "integer"}}
      },
      "Scenario": {
        "type": "object", "required": ["name", "state", "states"],
        "properties": {
          "name": {"type": "string"}, "state": {"type": "string"}, "states": {"$ref": "#/components/schemas/Texts"}
        }
      },
      "ScenarioList": {
        "type": "object", "required": ["scenarios"],
        "properties": {"scenarios": {"type": "array", "items": {"$ref": "#/components/schemas/Scenario"}}}
      },
      "SessionList": {
        "type": "object", "required": ["sessions", "forgotten"],
        "properties": {
          "sessions": {
            "type": "array",
            "items": {
              "type": "object", "required": ["name", "played", "stubs", "scenarios"],
              "properties": {
                "name": {"type": "string"}, "played": {"$ref": "#/components/schemas/Count"},
                "stubs": {"$ref": "#/components/schemas/Count"},
                "scenarios": {"type": "object", "additionalProperties": {"type": "string"}}
              }
            }
          },
          "forgotten": {"$ref": "#/components/schemas/Count"}
        }
      },
      "ResourceList": {
        "type": "object", "required": ["resources"],
        "properties": {
          "resources": {
            "type": "array",
            "items": {
              "type": "object", "required": ["path", "elements"],
              "properties": {
                "path": {"type": "string"}, "alsoAt": {"$ref": "#/components/schemas/Texts"},
                "elements": {"$ref": "#/components/schemas/Count"}
              }
            }
          }
        }
      },
      "Resource": {
        "type": "object", "required": ["path", "elements"],
        "properties": {
          "path": {"type": "string"}, "warnings": {"$ref": "#/components/schemas/Texts"},
          "elements": {"type": "array", "items": {"type": "object"}}
        }
      },
      "Settings": {
        "type": "object", "required": ["matching", "latency", "faults", "clock", "journal"],
        "properties": {
          "matching": {"enum": ["exact", "careful", "loose"]}, "latency": {"type": ["string", "null"]},
          "bytesPerSecond": {"type": "integer"}, "clock": {"type": "string"}, "seed": {"type": "integer"},
          "faults": {
            "type": "array",
            "items": {
              "type": "object", "required": ["kind"],
              "properties": {
                "kind": {"type": "string"}, "on": {"type": "string"}, "delay": {"type": "string"},
                "bytesPerSecond": {"type": "integer"}, "after": {"type": "integer"}, "status": {"type": "integer"},
                "headers": {"type": "object", "additionalProperties": {"type": "string"}}, "body": {"type": "string"},
                "probability": {"type": "number"}, "first": {"type": "integer"}, "every": {"type": "integer"}
              }
            }
          },
          "journal": {
            "type": "object", "required": ["requests", "bodyBytes", "secrets"],
            "properties": {"requests": {"type": "integer"}, "bodyBytes": {"type": "integer"}, "secrets": {"type": "boolean"}}
          }
        }
      },
      "Reset": {
        "type": "object", "required": ["status", "session"],
        "properties": {"status": {"const": "rewound"}, "session": {"type": ["string", "null"]}}
      },
      "Request": {
        "type": "object", "required": ["number", "at", "method", "url", "outcome", "sentBytes", "duration"],
        "properties": {
          "number": {"$ref": "#/components/schemas/Count"}, "at": {"type": "string", "format": "date-time"},
          "method": {"type": ["string", "null"]}, "url": {"type": ["string", "null"]}, "session": {"type": "string"},
          "status": {"type": "integer"},
          "outcome": {"enum": ["played", "stub", "fault", "spec", "recorded", "failed", "miss", "refused"]},
          "recording": {"type": ["string", "null"]}, "cassette": {"type": ["string", "null"]},
          "derived": {"type": ["string", "null"]}, "approximate": {"type": ["string", "null"]}, "after": {"type": "string"},
          "reason": {"type": "string"}, "source": {"type": "string"}, "contract": {"$ref": "#/components/schemas/Texts"},
          "sentBytes": {"$ref": "#/components/schemas/Count"}, "duration": {"type": "number"},
          "headers": {"type": "array", "items": {"$ref": "#/components/schemas/Texts", "minItems": 2, "maxItems": 2}},
          "bodyBytes": {"$ref": "#/components/schemas/Count"}, "body": {"type": ["string", "null"]},
          "bodyIsCut": {"type": "boolean"}
        }
      },
      "Journal": {
        "type": "object", "required": ["requests", "forgotten", "entries"],
        "properties": {
          "requests": {"$ref": "#/components/schemas/Count"}, "forgotten": {"$ref": "#/components/schemas/Count"},
          "entries": {"type": "array", "items": {"$ref": "#/components/schemas/Request"}},
          "next": {"$ref": "#/components/schemas/Count"}
        }
      },
      "JournalPage": {
        "anyOf": [
          {"$ref": "#/components/schemas/Journal"},
          {
            "type": "object", "description": "With as=cassette.", "required": ["cassette", "interactions"],
            "properties": {
              "cassette": {"type": "integer"},
              "interactions": {"type": "array", "items": {"$ref": "#/components/schemas/Recorded"}}
            }
          },
          {"type": "object", "description": "With as=har.", "required": ["log"]}
        ]
      },
      "RequestDetails": {
        "allOf": [
          {"$ref": "#/components/schemas/Request"},
          {
            "type": "object", "required": ["place", "nearest"],
            "properties": {
              "place": {"type": ["string", "null"]}, "interaction": {"$ref": "#/components/schemas/Recorded"},
              "reason": {"type": "string"}, "remedies": {"$ref": "#/components/schemas/Texts"},
              "nearest": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["id", "place", "request", "isInCassette", "differs"],
                  "properties": {
                    "id": {"type": "string"}, "place": {"type": "string"}, "request": {"type": "string"},
                    "isInCassette": {"type": "boolean"},
                    "differs": {
                      "type": "array",
                      "items": {
                        "type": "object", "required": ["part", "words", "canBeIgnored"],
                        "properties": {
                          "part": {"type": "string"}, "words": {"type": "string"}, "canBeIgnored": {"type": "boolean"}
                        }
                      }
                    }
                  }
                }
              },
              "accept": {
                "type": "object", "required": ["problem", "origin"],
                "properties": {"problem": {"type": ["string", "null"]}, "origin": {"type": ["string", "null"]}}
              }
            }
          }
        ]
      },
      "Recording": {
        "type": "object", "required": ["exchange", "method", "url", "isNew", "redacted"],
        "properties": {
          "exchange": {"$ref": "#/components/schemas/Count"}, "method": {"type": "string"}, "url": {"type": "string"},
          "status": {"type": "integer"}, "isNew": {"type": "boolean"},
          "redacted": {"$ref": "#/components/schemas/Count"}, "interaction": {"$ref": "#/components/schemas/Recorded"}
        }
      },
      "RecordingList": {
        "type": "object", "required": ["cassette", "exchanges"],
        "properties": {
          "cassette": {"type": ["string", "null"], "description": "Null for a server that does not record."},
          "new": {"$ref": "#/components/schemas/Count"}, "unchanged": {"$ref": "#/components/schemas/Count"},
          "refused": {"$ref": "#/components/schemas/Count"}, "failed": {"$ref": "#/components/schemas/Count"},
          "bytes": {"$ref": "#/components/schemas/Count"},
          "exchanges": {"type": "array", "items": {"$ref": "#/components/schemas/Recording"}}
        }
      },
      "Misses": {
        "type": "object", "required": ["total", "misses", "approximate", "approximations"],
        "properties": {
          "total": {"$ref": "#/components/schemas/Count"},
          "misses": {
            "type": "array",
            "items": {
              "type": "object", "required": ["number", "request", "reason", "nearest", "remedy", "remedies"],
              "properties": {
                "number": {"$ref": "#/components/schemas/Count"}, "request": {"type": "string"},
                "reason": {"type": "string"}, "remedy": {"type": "string"},
                "remedies": {"$ref": "#/components/schemas/Texts"},
                "nearest": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["id", "place", "differs"],
                    "properties": {
                      "id": {"type": "string"}, "place": {"type": "string"},
                      "differs": {"$ref": "#/components/schemas/Texts"}
                    }
                  }
                }
              }
            }
          },
          "approximate": {"$ref": "#/components/schemas/Count"},
          "approximations": {
            "type": "array",
            "items": {
              "type": "object", "required": ["number", "request", "id", "place", "parts", "differs"],
              "properties": {
                "number": {"$ref": "#/components/schemas/Count"}, "request": {"type": "string"},
                "id": {"type": "string"}, "place": {"type": "string"}, "parts": {"$ref": "#/components/schemas/Texts"},
                "differs": {"$ref": "#/components/schemas/Texts"}
              }
            }
          }
        }
      },
      "Verification": {
        "type": "object", "required": ["count", "requests"],
        "properties": {
          "count": {"$ref": "#/components/schemas/Count"},
          "requests": {"type": "array", "items": {"$ref": "#/components/schemas/Request"}}
        }
      },
      "Health": {
        "type": "object", "required": ["status"], "description": "Without the server's token, the status only.",
        "properties": {
          "status": {"const": "ok"}, "recordings": {"$ref": "#/components/schemas/Count"},
          "fixtures": {"$ref": "#/components/schemas/Count"}, "stubs": {"$ref": "#/components/schemas/Count"},
          "requests": {"$ref": "#/components/schemas/Count"}, "misses": {"$ref": "#/components/schemas/Count"},
          "approximate": {"$ref": "#/components/schemas/Count"}, "sessions": {"$ref": "#/components/schemas/Count"},
          "sessionsForgotten": {"$ref": "#/components/schemas/Count"},
          "neverPlayed": {"$ref": "#/components/schemas/Count"}, "uptimeSeconds": {"type": "integer"},
          "generation": {"$ref": "#/components/schemas/Count"},
          "lastLoad": {
            "type": "object", "required": ["files", "problem"],
            "properties": {"files": {"$ref": "#/components/schemas/Texts"}, "problem": {"type": ["string", "null"]}}
          }
        }
      },
      "Edit": {
        "type": "object",
        "required": ["edit", "request", "how", "state", "cassette", "interaction", "answers", "diff"],
        "properties": {
          "edit": {"type": "integer"}, "request": {"type": "integer"}, "how": {"enum": ["ignore", "copy", "upstream"]},
          "state": {"enum": ["proposed", "written", "undone"]}, "cassette": {"type": "string"},
          "interaction": {"type": "string"}, "answers": {"type": "boolean"}, "diff": {"type": "string"},
          "generation": {"$ref": "#/components/schemas/Count"}, "recording": {"$ref": "#/components/schemas/Recorded"}
        }
      },
      "EditList": {
        "type": "object", "required": ["readOnly", "edits"],
        "properties": {
          "readOnly": {"type": ["string", "null"], "description": "The reason why edits cannot be written; null if they can."},
          "edits": {"type": "array", "items": {"$ref": "#/components/schemas/Edit"}}
        }
      }
    }
    """
}
